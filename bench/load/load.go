// Generates load cheaply: an origin, and clients in a closed loop. Written in Go, because a generator on Node would use
// as much CPU as the gateway, and one worker could not be distinguished from two on a small machine.
//
//	load origin  -cert c.pem -key k.pem
//	load chat    -proxy 127.0.0.1:3128 -target api.openai.com:443 -ca ca.pem -lanes 32 -warm 3 -seconds 10 [-fresh]
//	load tunnels -proxy 127.0.0.1:3128 -target 127.0.0.1:7 -lanes 32 -warm 1 -seconds 10
//
// Each prints one line of JSON: the ports of the origin; or units, seconds, errors and latencies of the clients.
package main

import (
	"bufio"
	"bytes"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"sort"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

var (
	proxy   = flag.String("proxy", "", "address of the proxy")
	target  = flag.String("target", "", "what is asked for through it")
	ca      = flag.String("ca", "", "root that the proxy's certificates lead to")
	lanes   = flag.Int("lanes", 32, "clients at once")
	warm    = flag.Float64("warm", 3, "seconds before counting begins")
	seconds = flag.Float64("seconds", 10, "seconds that are counted")
	fresh   = flag.Bool("fresh", false, "a value in every request that was in none before")
	cert    = flag.String("cert", "", "certificate of the origin")
	key     = flag.String("key", "", "its key")
)

func main() {
	if len(os.Args) < 2 {
		fail(errors.New("origin, chat or tunnels?"))
	}
	flag.CommandLine.Parse(os.Args[2:])
	switch os.Args[1] {
	case "origin":
		origin()
	case "chat":
		measure(chat)
	case "tunnels":
		measure(tunnels)
	default:
		fail(errors.New("origin, chat or tunnels?"))
	}
}

func fail(err error) {
	fmt.Fprintln(os.Stderr, err)
	os.Exit(1)
}

// A client of one lane; each call is one unit. Closed at the end.
type unit func() error

// Runs lanes in a closed loop and prints the results.
func measure(begin func(lane int) (unit, func(), error)) {
	var counting atomic.Bool
	var units, failures atomic.Int64
	var stop atomic.Bool
	latencies := make([][]time.Duration, *lanes)
	var firstError atomic.Value
	var wait sync.WaitGroup
	for lane := 0; lane < *lanes; lane++ {
		wait.Add(1)
		go func(lane int) {
			defer wait.Done()
			for !stop.Load() {
				one, end, err := begin(lane)
				for err == nil && !stop.Load() {
					at := time.Now()
					if err = one(); err == nil && counting.Load() {
						units.Add(1)
						latencies[lane] = append(latencies[lane], time.Since(at))
					}
				}
				if end != nil {
					end()
				}
				if err != nil && !stop.Load() {
					failures.Add(1)
					firstError.CompareAndSwap(nil, err.Error())
					time.Sleep(20 * time.Millisecond)
				}
			}
		}(lane)
	}
	time.Sleep(time.Duration(*warm * float64(time.Second)))
	fmt.Println(`{"event":"counting"}`)
	began := time.Now()
	counting.Store(true)
	time.Sleep(time.Duration(*seconds * float64(time.Second)))
	counting.Store(false)
	took := time.Since(began)
	fmt.Println(`{"event":"counted"}`)
	stop.Store(true)
	// Hanging lanes must not delay the figures.
	time.AfterFunc(2*time.Second, func() { report(&units, &failures, took, nil, firstError.Load()) })
	wait.Wait()
	var all []time.Duration
	for _, some := range latencies {
		all = append(all, some...)
	}
	report(&units, &failures, took, all, firstError.Load())
}

var reporting sync.Once

func report(units, failures *atomic.Int64, took time.Duration, all []time.Duration, firstError any) {
	reporting.Do(func() {
		sort.Slice(all, func(i, j int) bool { return all[i] < all[j] })
		at := func(share float64) float64 {
			if len(all) == 0 {
				return 0
			}
			return float64(all[int(share*float64(len(all)-1))].Microseconds()) / 1000
		}
		json.NewEncoder(os.Stdout).Encode(map[string]any{
			"event": "done", "units": units.Load(), "seconds": took.Seconds(), "errors": failures.Load(),
			"p50Ms": at(0.5), "p99Ms": at(0.99), "firstError": firstError,
		})
		os.Exit(0)
	})
}

// Opens a tunnel through the proxy.
func connect() (net.Conn, error) {
	conn, err := net.Dial("tcp", *proxy)
	if err != nil {
		return nil, err
	}
	conn.SetDeadline(time.Now().Add(20 * time.Second))
	fmt.Fprintf(conn, "CONNECT %s HTTP/1.1\r\nHost: %s\r\n\r\n", *target, *target)
	var head []byte
	buffer := make([]byte, 512)
	for !bytes.Contains(head, []byte("\r\n\r\n")) {
		n, err := conn.Read(buffer)
		if err != nil {
			conn.Close()
			return nil, err
		}
		head = append(head, buffer[:n]...)
	}
	if !bytes.HasPrefix(head, []byte("HTTP/1.1 200")) {
		conn.Close()
		return nil, errors.New(strings.SplitN(string(head), "\r\n", 2)[0])
	}
	return conn, nil
}

// A chat request of 4 KiB with six values on a kept connection; the response must contain them again.
func chat(lane int) (unit, func(), error) {
	conn, err := connect()
	if err != nil {
		return nil, nil, err
	}
	host, _, _ := net.SplitHostPort(*target)
	pem, err := os.ReadFile(*ca)
	if err != nil {
		fail(err)
	}
	roots := x509.NewCertPool()
	roots.AppendCertsFromPEM(pem)
	secured := tls.Client(conn, &tls.Config{ServerName: host, RootCAs: roots})
	if err := secured.Handshake(); err != nil {
		conn.Close()
		return nil, nil, err
	}
	filler := strings.Repeat("The quarterly report should mention the new plan and its effect on the team. ", 60)[:3500]
	reader := bufio.NewReaderSize(secured, 16<<10)
	number := 0
	return func() error {
		conn.SetDeadline(time.Now().Add(20 * time.Second))
		address := fmt.Sprintf("ana.lopez%d@example.com", lane)
		if *fresh {
			number++
			address = fmt.Sprintf("ana.%d.%d.%d@example.com", os.Getpid(), lane, number)
		}
		text := filler + " Ana Lopez " + address + ", +1 415 555 0132, card 4111 1111 1111 1111, 203.0.113.77, SSN 536-22-1234, IBAN GB82 WEST 1234 5698 7654 32."
		body := `{"model":"gpt-4o","messages":[{"role":"user","content":"` + text + `"}],"temperature":0.2}`
		// A key per lane makes each lane a separate user with its own session.
		request := fmt.Sprintf("POST /v1/chat/completions HTTP/1.1\r\nHost: %s\r\nAuthorization: Bearer lane-%d\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s", *target, lane, len(body), body)
		if _, err := secured.Write([]byte(request)); err != nil {
			return err
		}
		answer, err := http.ReadResponse(reader, nil)
		if err != nil {
			return err
		}
		got, err := io.ReadAll(answer.Body)
		if err != nil {
			return err
		}
		if answer.StatusCode != 200 {
			return fmt.Errorf("status %d: %.200s", answer.StatusCode, got)
		}
		if !bytes.Contains(got, []byte(address)) {
			return errors.New("the answer has not got the value again")
		}
		return nil
	}, func() { conn.Close() }, nil
}

// A tunnel: open, six bytes in each direction, close.
func tunnels(int) (unit, func(), error) {
	return func() error {
		conn, err := connect()
		if err != nil {
			return err
		}
		defer conn.Close()
		if _, err := conn.Write([]byte("hello\n")); err != nil {
			return err
		}
		_, err = io.ReadFull(conn, make([]byte, 6))
		return err
	}, func() {}, nil
}

// Answers chat requests with their tokens, and echoes data on a second port.
func origin() {
	pair, err := tls.LoadX509KeyPair(*cert, *key)
	if err != nil {
		fail(err)
	}
	secured, err := tls.Listen("tcp", "127.0.0.1:0", &tls.Config{Certificates: []tls.Certificate{pair}})
	if err != nil {
		fail(err)
	}
	echo, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		fail(err)
	}
	go accept(echo, func(conn net.Conn) { io.Copy(conn, conn) })
	json.NewEncoder(os.Stdout).Encode(map[string]int{
		"tlsPort": secured.Addr().(*net.TCPAddr).Port, "echoPort": echo.Addr().(*net.TCPAddr).Port,
	})
	accept(secured, serve)
}

func accept(listener net.Listener, use func(net.Conn)) {
	for {
		conn, err := listener.Accept()
		if err != nil {
			fail(err)
		}
		go func() {
			defer conn.Close()
			use(conn)
		}()
	}
}

func serve(conn net.Conn) {
	reader := bufio.NewReaderSize(conn, 16<<10)
	filler := strings.Repeat("ok ", 250)
	for {
		request, err := http.ReadRequest(reader)
		if err != nil {
			return
		}
		body, err := io.ReadAll(request.Body)
		if err != nil {
			return
		}
		answer := fmt.Sprintf(`{"id":"1","choices":[{"index":0,"message":{"role":"assistant","content":"%s%s"}}]}`, tokens(body), filler)
		fmt.Fprintf(conn, "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%s", len(answer), answer)
	}
}

// The texts in brackets, in order.
func tokens(body []byte) []byte {
	var found []byte
	for {
		// Brackets of JSON are followed by characters other than capital letters.
		begin := bytes.IndexByte(body, '[')
		if begin < 0 || begin+1 >= len(body) {
			return found
		}
		body = body[begin:]
		end := bytes.IndexByte(body, ']')
		if end > 0 && body[1] >= 'A' && body[1] <= 'Z' {
			found = append(append(found, body[:end+1]...), ' ')
		}
		body = body[1:]
	}
}
