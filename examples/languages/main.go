package main

import (
	"encoding/json"
	"fmt"
	"log"
	"net/http"
)

const eventsURL = "http://127.0.0.1:8080/wp-json/tribe/events/v1/events"

// Optional is an object, or nil for false, [] and null.
type Optional[T any] struct{ Value *T }

func (o *Optional[T]) UnmarshalJSON(data []byte) error {
	if len(data) == 0 || data[0] != '{' {
		return nil
	}
	return json.Unmarshal(data, &o.Value)
}

type Event struct {
	Title  string                           `json:"title"`
	Image  Optional[struct{ URL string }]   `json:"image"`   // false: no image
	Venue  Optional[struct{ Venue string }] `json:"venue"`   // []: no venue
	AllDay *bool                            `json:"all_day"` // null: protected by a password
}

func page(number int) ([]Event, error) {
	response, err := http.Get(fmt.Sprintf("%s?page=%d&per_page=10", eventsURL, number))
	if err != nil {
		return nil, err
	}
	defer response.Body.Close()
	switch response.StatusCode {
	case http.StatusNotFound: // past the last page
		return nil, nil
	case http.StatusOK:
		var body struct{ Events []Event }
		err = json.NewDecoder(response.Body).Decode(&body)
		return body.Events, err
	default:
		return nil, fmt.Errorf("the calendar responded with %s", response.Status)
	}
}

func main() {
	var total, images, venues, protected int
	for number := 1; ; number++ {
		events, err := page(number)
		if err != nil {
			log.Fatal(err)
		}
		if events == nil {
			break
		}
		for _, event := range events {
			total++
			if event.Image.Value == nil {
				images++
			}
			if event.Venue.Value == nil {
				venues++
			}
			if event.AllDay == nil {
				protected++
			}
		}
	}
	fmt.Printf("image %d of %d\nvenue %d of %d\nall_day %d of %d\n", images, total, venues, total, protected, total)
}
