package client_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"net/http"
	"os"
	"time"

	"emissor/client"
)

// A charge is issued once: its request is stored before it is sent, and sent again as it was stored.
func Example() {
	api, err := client.New(client.Options{URL: os.Getenv("EMISSOR_API_URL"), Key: os.Getenv("EMISSOR_API_KEY")})
	if err != nil {
		log.Fatal(err)
	}
	stored, err := json.Marshal(client.CreateNfse{
		Reference: "order-1001", ServiceID: os.Getenv("EMISSOR_SERVICE_ID"), AmountCents: 15000,
		Customer: &client.InlineCustomer{Document: "529.982.247-25", Name: "Maria da Silva",
			Address: client.InlineAddress{ZipCode: "01310-100", Street: "Avenida Paulista", Number: "1578",
				District: "Bela Vista"}},
	}) // and into the row of the charge
	if err != nil {
		log.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Minute)
	defer cancel()
	accepted, err := api.Issue(ctx, json.RawMessage(stored))
	var refused *client.Error
	switch {
	case errors.As(err, &refused):
		log.Fatalf("%s: correct %s (%s)", refused.Code, refused.Field, refused.RequestID)
	case err != nil:
		log.Fatal(err) // not known: start again with the same bytes
	}
	note, err := api.WaitForEnd(ctx, accepted.ID)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(note.ID, note.Status)
}

// A webhook is believed when it is signed, as the body came.
func ExampleVerifyWebhook() {
	http.HandleFunc("POST /nfse", func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, 256<<10))
		if err != nil {
			http.Error(w, "too long, or cut", http.StatusBadRequest)
			return
		}
		event, err := client.VerifyWebhook(os.Getenv("EMISSOR_WEBHOOK_SECRET"), r.Header.Get(client.SignatureHeader), body,
			time.Now())
		if err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		log.Println(event.ID, event.Type, event.Data.Object.Reference) // once by the id: put it into your queue
	})
}
