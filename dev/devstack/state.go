package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"syscall"
)

// state is the directory in which the cluster, its password and the logs are.
type state struct {
	dir       string
	temporary bool
	lock      *os.File
	oneLog    *logFile // of all servers, if asked for
}

// openState makes dir, or a temporary directory if dir is empty, and locks it. All servers log
// to logPath; if that is empty, each gets a file in dir.
func openState(dir, logPath string) (*state, error) {
	s := &state{dir: dir, temporary: dir == ""}
	if err := s.open(logPath); err != nil {
		return nil, errors.Join(err, s.close())
	}
	return s, nil
}

func (s *state) open(logPath string) (err error) {
	if s.temporary {
		if s.dir, err = os.MkdirTemp(temporaryRoot(), "devstack-"); err != nil {
			return err
		}
		// PostgreSQL may run as another user, who has to pass to its own directory in it.
		if err = os.Chmod(s.dir, 0o711); err != nil {
			return err
		}
	} else {
		if s.dir, err = filepath.Abs(s.dir); err != nil {
			return err
		}
		if err = os.MkdirAll(s.dir, 0o755); err != nil {
			return err
		}
	}
	if s.lock, err = os.OpenFile(s.path("lock"), os.O_CREATE|os.O_RDWR, 0o600); err != nil {
		return err
	}
	if err = syscall.Flock(int(s.lock.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err != nil {
		return fmt.Errorf("another devstack is running with -state %s", s.dir)
	}
	if logPath != "" {
		s.oneLog, err = openLog(logPath)
	}
	return err
}

const (
	memory       = "/dev/shm"
	enoughMemory = 4 << 30 // bytes: the databases of some hundred tests
)

// temporaryRoot is where a temporary state is made: in memory where there is enough, because tests make
// hundreds of databases, or else where the system has temporary files ("").
func temporaryRoot() string {
	var free syscall.Statfs_t
	if err := syscall.Statfs(memory, &free); err != nil || free.Bavail*uint64(free.Bsize) < enoughMemory {
		return ""
	}
	if syscall.Access(memory, 0o2) != nil { // we may not write there
		return ""
	}
	return memory
}

// path names a file of the state.
func (s *state) path(name string) string { return filepath.Join(s.dir, name) }

// log is the log of the named server.
func (s *state) log(name string) (*logFile, error) {
	if s.oneLog != nil {
		return s.oneLog, nil
	}
	return openLog(s.path(name + ".log"))
}

// close unlocks the directory, and removes it if it is temporary.
func (s *state) close() error {
	if s.temporary && s.dir != "" {
		if err := os.RemoveAll(s.dir); err != nil {
			return err
		}
	}
	if s.lock == nil {
		return nil
	}
	return s.lock.Close()
}
