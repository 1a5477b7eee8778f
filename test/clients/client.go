// A chat client: `client chat|stream|h2|http1|cancel URL PROMPT`.
package main

import (
	"bufio"
	"context"
	"crypto/tls"
	"encoding/json"
	"fmt"
	"io"
	"math/rand"
	"net/http"
	"os"
	"strings"
	"sync"
	"time"
)

type message struct {
	Role    string `json:"role,omitempty"`
	Content string `json:"content"`
}

type answer struct {
	Choices []struct {
		Message message `json:"message"`
		Delta   message `json:"delta"`
	} `json:"choices"`
}

func ask(ctx context.Context, client *http.Client, url, prompt string, stream bool) (string, error) {
	body, _ := json.Marshal(map[string]any{
		"model": "gpt-test", "stream": stream, "messages": []message{{"user", prompt}},
	})
	request, err := http.NewRequestWithContext(ctx, "POST", url, strings.NewReader(string(body)))
	if err != nil {
		return "", err
	}
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("Authorization", "Bearer test-key")
	response, err := client.Do(request)
	if err != nil {
		return "", err
	}
	defer response.Body.Close()
	if response.StatusCode != 200 {
		return "", fmt.Errorf("status %d", response.StatusCode)
	}
	if !stream {
		var whole answer
		err = json.NewDecoder(response.Body).Decode(&whole)
		if err != nil {
			return "", err
		}
		_, err = io.Copy(io.Discard, response.Body)
		return whole.Choices[0].Message.Content, err
	}
	text := ""
	lines := bufio.NewScanner(response.Body)
	for lines.Scan() {
		data := strings.TrimPrefix(lines.Text(), "data: ")
		if data == "" || data == "[DONE]" {
			continue
		}
		var chunk answer
		if err := json.Unmarshal([]byte(data), &chunk); err != nil {
			return "", err
		}
		text += chunk.Choices[0].Delta.Content
	}
	return text, lines.Err()
}

// burst sends 60 requests at once on a fresh transport, which dials for each and keeps few of the connections.
func burst(way, url, prompt string) int {
	transport := &http.Transport{Proxy: http.ProxyFromEnvironment}
	if way == "http1" {
		// How the package says that a client speaks no HTTP/2.
		transport.TLSNextProto = map[string]func(string, *tls.Conn) http.RoundTripper{}
	}
	client := &http.Client{Transport: transport}
	var waiting sync.WaitGroup
	var lock sync.Mutex
	good := 0
	for i := 0; i < 60; i++ {
		waiting.Add(1)
		go func() {
			defer waiting.Done()
			ctx := context.Background()
			if way == "cancel" {
				shorter, cancel := context.WithTimeout(ctx, time.Duration(rand.Intn(400))*time.Millisecond)
				defer cancel()
				ctx = shorter
			}
			if _, err := ask(ctx, client, url, prompt, false); err == nil {
				lock.Lock()
				good++
				lock.Unlock()
			} else if way != "cancel" {
				fmt.Fprintln(os.Stderr, err)
			}
		}()
	}
	waiting.Wait()
	transport.CloseIdleConnections()
	return good
}

func main() {
	way, url, prompt := os.Args[1], os.Args[2], os.Args[3]
	if way != "chat" && way != "stream" {
		fmt.Printf("%d of 60\n", burst(way, url, prompt))
		return
	}
	text, err := ask(context.Background(), http.DefaultClient, url, prompt, way == "stream")
	if err != nil {
		text = err.Error()
	}
	fmt.Print(text)
}
