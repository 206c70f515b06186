package calendar

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"strings"
	"testing"
	"time"
)

func send(t *testing.T, method, url, body string) (int, string) {
	t.Helper()
	request, err := http.NewRequest(method, url, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("Content-Type", "application/json")
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	text, _ := io.ReadAll(response.Body)
	return response.StatusCode, string(text)
}

func sandbox(t *testing.T) string {
	server := os.Getenv("UNDERSTUDY_URL")
	if server == "" {
		server = "http://127.0.0.1:8080"
	}
	name := fmt.Sprintf("go-%d", time.Now().UnixNano())
	send(t, "PUT", server+"/__qa/sandboxes/"+name, "")
	url := server + "/__sandbox/" + name
	t.Cleanup(func() {
		if t.Failed() {
			_, journal := send(t, "GET", url+"/__qa/journal", "")
			t.Log(journal)
		}
		send(t, "DELETE", server+"/__qa/sandboxes/"+name, "")
	})
	return url
}

func total(t *testing.T, url string) int {
	_, text := send(t, "GET", url+"/wp-json/tribe/events/v1/events", "")
	var list struct{ Total int }
	if err := json.Unmarshal([]byte(text), &list); err != nil {
		t.Fatal(err)
	}
	return list.Total
}

func TestPastEventsLeaveTheList(t *testing.T) {
	url := sandbox(t)
	send(t, "POST", url+"/__qa/seed", `{"events": [{"title": "Fair", "start": "+1d 10:00", "duration": "2h"}]}`)
	if found := total(t, url); found != 1 {
		t.Fatalf("%d events instead of 1", found)
	}
	send(t, "PUT", url+"/__qa/clock", `{"advance": "3 days"}`)
	if found := total(t, url); found != 0 {
		t.Fatalf("%d events instead of none", found)
	}
}

func TestTheCalendarIsDown(t *testing.T) {
	url := sandbox(t)
	send(t, "POST", url+"/__qa/faults", `{"effect": {"status": 503}}`)
	if status, text := send(t, "GET", url+"/wp-json/tribe/events/v1/events", ""); status != 503 || !strings.Contains(text, "<html") {
		t.Fatalf("%d %s", status, text)
	}
}
