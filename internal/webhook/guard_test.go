package webhook

import (
	"context"
	"encoding/binary"
	"errors"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
)

// Every kind of address that is not public is refused at the moment it would be
// dialled, in every spelling; public ones are let through.
func TestWebhookGuard_PublicAddressesOnly(t *testing.T) {
	forbidden := []string{
		// loopback
		"127.0.0.1", "127.0.0.2", "127.255.255.255", "::1",
		// this network, unspecified
		"0.0.0.0", "0.1.2.3", "::",
		// private
		"10.0.0.1", "10.255.255.255", "172.16.0.1", "172.31.255.255", "192.168.0.1", "192.168.255.254",
		// shared (carrier-grade NAT)
		"100.64.0.1", "100.127.255.255",
		// link-local, metadata of the clouds
		"169.254.0.1", "169.254.169.254", "169.254.170.2", "fe80::1", "fe80::a9fe:a9fe", "fd00:ec2::254",
		"168.63.129.16", "100.100.100.200",
		// unique-local, site-local
		"fc00::1", "fd12:3456:789a::1", "fec0::1",
		// mapped, compatible, translated and tunnelled IPv4
		"::ffff:127.0.0.1", "::ffff:10.0.0.1", "::ffff:169.254.169.254", "::127.0.0.1",
		"64:ff9b::7f00:1", "64:ff9b::a9fe:a9fe", "64:ff9b:1::1", "2002:7f00:1::", "2002:a00:1::", "2001::1",
		// documentation, benchmarking, protocol assignments
		"192.0.2.1", "198.51.100.1", "203.0.113.1", "198.18.0.1", "198.19.255.255", "192.0.0.1", "2001:db8::1",
		"3fff::1", "100::1",
		// multicast, reserved, broadcast
		"224.0.0.1", "239.255.255.255", "ff02::1", "ff0e::1", "240.0.0.1", "255.255.255.255",
	}
	if len(forbidden) < 40 {
		t.Fatalf("only %d addresses", len(forbidden))
	}
	for _, address := range forbidden {
		network := "tcp4"
		if strings.Contains(address, ":") {
			network = "tcp6"
		}
		if err := newGuard(false).control(network, net.JoinHostPort(address, "443"), nil); !errors.Is(err,
			ErrForbiddenAddress) {
			t.Errorf("%s would be dialled", address)
		}
		if err := (Options{}).CheckURL("https://" + net.JoinHostPort(address, "443") + "/hook"); err == nil {
			t.Errorf("%s is accepted as an endpoint", address)
		}
	}
	for _, address := range []string{"1.1.1.1", "8.8.8.8", "200.160.2.3", "2606:4700:4700::1111", "2800:3f0:4001::1"} {
		network := "tcp4"
		if strings.Contains(address, ":") {
			network = "tcp6"
		}
		if err := newGuard(false).control(network, net.JoinHostPort(address, "443"), nil); err != nil {
			t.Errorf("%s would not be dialled: %v", address, err)
		}
	}
}

// The development switch opens loopback and nothing else.
func TestWebhookGuard_AllowLoopback(t *testing.T) {
	guard := newGuard(true)
	for address, allowed := range map[string]bool{
		"127.0.0.1:80": true, "[::1]:80": true, "10.0.0.1:80": false, "169.254.169.254:80": false,
		"192.168.1.1:80": false, "[fd00::1]:80": false, "0.0.0.0:80": false, "[::ffff:10.0.0.1]:80": false,
	} {
		network := "tcp4"
		if strings.HasPrefix(address, "[") {
			network = "tcp6"
		}
		if err := guard.control(network, address, nil); (err == nil) != allowed {
			t.Errorf("%s: %v", address, err)
		}
	}
}

func TestWebhookGuard_CheckURL(t *testing.T) {
	for url, allowed := range map[string]bool{
		"https://hooks.example.com/nfse":                         true,
		"https://hooks.example.com:8443/nfse?a=b":                true,
		"http://hooks.example.com/nfse":                          false,
		"ftp://hooks.example.com/nfse":                           false,
		"https://":                                               false,
		"https://user:pass@hooks.example.com/":                   false,
		"https://hooks.example.com/#part":                        false,
		"hooks.example.com":                                      false,
		"":                                                       false,
		"https://127.0.0.1/":                                     false,
		"https://[::ffff:127.0.0.1]/":                            false,
		"https://integração.example.com/nfse":                    true,
		"https://1.1.1.1/":                                       true,
		"https://[2606:4700:4700::1111]/":                        true,
		"https://123.example.com./":                              true,
		"https://localhost/":                                     false,
		"https://LOCALHOST./":                                    false,
		"https://emissor.localhost/":                             false,
		"https://intranet/":                                      false,
		"https://printer.local/":                                 false,
		"https://metadata.google.internal/":                      false,
		"https://2130706433/":                                    false,
		"https://0x7f.1/":                                        false,
		"https://0x7f000001/":                                    false,
		"https://0177.0.0.1/":                                    false,
		"https://127.1/":                                         false,
		"https://127.0.0.1./":                                    false,
		"https://127。0。0。1/":                                     false,
		"https://１２７.０.０.１/":                                     false,
		"https://local．host。localhost/":                          false,
		"https://a_b.example.com/":                               true,
		"https://hooks.example.com/" + strings.Repeat("a", 2000): false,
	} {
		err := Options{}.CheckURL(url)
		if (err == nil) != allowed {
			t.Errorf("%.60s: %v", url, err)
		}
	}
	for _, own := range []string{"http://127.0.0.1:9000/hook", "http://localhost:9000/hook", "http://receiver:9000/hook"} {
		if err := (Options{AllowLoopback: true}).CheckURL(own); err != nil {
			t.Errorf("the development switch, %s: %v", own, err)
		}
	}
}

// internal is a server on loopback that nobody may reach.
func internal(t *testing.T) (url string, reached *atomic.Int32) {
	reached = new(atomic.Int32)
	server := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { reached.Add(1) }))
	t.Cleanup(server.Close)
	return server.URL, reached
}

// Spellings of 127.0.0.1 that no parser of addresses knows, but a resolver does.
func TestWebhookGuard_DisguisedLoopback(t *testing.T) {
	url, reached := internal(t)
	_, port, _ := net.SplitHostPort(strings.TrimPrefix(url, "http://"))
	client := NewClient(Options{})
	for _, host := range []string{"localhost", "127.1", "0177.0.0.1", "2130706433", "0x7f000001", "127.0.0.1.", "[::]",
		"[::ffff:7f00:1]"} {
		attempt := client.Send(context.Background(), "https://"+host+":"+port+"/", nil, nil)
		if attempt.Succeeded() || attempt.Status != 0 {
			t.Errorf("%s: %+v", host, attempt)
		}
	}
	if reached.Load() != 0 {
		t.Errorf("the internal server was reached %d times", reached.Load())
	}
}

// A name that is public when the endpoint is added and private when it is
// dialled (DNS rebinding) is not reached: the dialled address is what is
// checked. The name server is real.
func TestWebhookGuard_DNSRebinding(t *testing.T) {
	url, reached := internal(t)
	_, port, _ := net.SplitHostPort(strings.TrimPrefix(url, "http://"))
	var questions atomic.Int32
	nameServer := serveNames(t, func() net.IP {
		questions.Add(1)
		return net.IPv4(127, 0, 0, 1)
	})
	dialer := newGuard(false).dialer()
	dialer.Resolver = &net.Resolver{PreferGo: true, Dial: func(ctx context.Context, _, _ string) (net.Conn, error) {
		return (&net.Dialer{}).DialContext(ctx, "udp", nameServer)
	}}
	connection, err := dialer.Dial("tcp4", "rebinding.example.com:"+port)
	if !errors.Is(err, ErrForbiddenAddress) {
		t.Errorf("%v %v", connection, err)
	}
	if questions.Load() == 0 || reached.Load() != 0 {
		t.Errorf("%d questions to the name server, %d requests", questions.Load(), reached.Load())
	}
}

// serveNames answers every question for an A record with the given address.
func serveNames(t *testing.T, answer func() net.IP) string {
	t.Helper()
	connection, err := net.ListenPacket("udp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = connection.Close() })
	go func() {
		buffer := make([]byte, 512)
		for {
			n, from, err := connection.ReadFrom(buffer)
			if err != nil {
				return
			}
			_, _ = connection.WriteTo(answerQuestion(buffer[:n], answer()), from)
		}
	}()
	return connection.LocalAddr().String()
}

// answerQuestion is RFC 1035 as far as one question needs it: the header and the
// question come back, with one address behind them.
func answerQuestion(question []byte, address net.IP) []byte {
	end := 12
	for question[end] != 0 {
		end += int(question[end]) + 1
	}
	end += 5 // the root label, type and class
	isA := binary.BigEndian.Uint16(question[end-4:]) == 1
	reply := append([]byte{}, question[:end]...)
	reply[2], reply[3] = 0x81, 0x80 // an answer, recursion available
	binary.BigEndian.PutUint16(reply[6:], 0)
	binary.BigEndian.PutUint16(reply[8:], 0)
	binary.BigEndian.PutUint16(reply[10:], 0)
	if isA {
		binary.BigEndian.PutUint16(reply[6:], 1)
		reply = append(reply, 0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 0, 0, 4)
		reply = append(reply, address.To4()...)
	}
	return reply
}
