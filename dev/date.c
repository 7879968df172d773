// The clock of programs in C, moved by the seconds that EMISSOR_MOVED_CLOCK says: see date.sh.
#define _GNU_SOURCE
#include <stdlib.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static long moved;

__attribute__((constructor)) static void begin(void) {
	const char *seconds = getenv("EMISSOR_MOVED_CLOCK");
	moved = seconds ? atol(seconds) : 0;
}

int clock_gettime(clockid_t clock, struct timespec *now) {
	int failed = syscall(SYS_clock_gettime, clock, now);
	if (!failed && (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE))
		now->tv_sec += moved;
	return failed;
}

int gettimeofday(struct timeval *restrict now, void *restrict zone) {
	int failed = syscall(SYS_gettimeofday, now, zone);
	if (!failed && now)
		now->tv_sec += moved;
	return failed;
}

time_t time(time_t *at) {
	struct timespec now;
	clock_gettime(CLOCK_REALTIME, &now);
	if (at)
		*at = now.tv_sec;
	return now.tv_sec;
}
