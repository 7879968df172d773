// Command quickstart issues, reads and cancels a note by a client that oapi-codegen made.
package main

import (
	"context"
	"fmt"
	"log"
	"net/http"
	"os"
	"strconv"
	"strings"
	"time"

	"quickstart/emissor"
)

func main() {
	ctx := context.Background()
	authorize := emissor.WithRequestEditorFn(func(_ context.Context, request *http.Request) error {
		request.Header.Set("Authorization", "Bearer "+os.Getenv("EMISSOR_API_KEY"))
		return nil
	})
	api, err := emissor.NewClientWithResponses(os.Getenv("EMISSOR_API_URL"), authorize)
	check(err)

	rate := 2.01
	service, err := api.CreateServiceWithResponse(ctx, emissor.CreateService{
		Name: "Consulta", Description: "Consulta médica", MunicipalityCode: "3550308", DefaultAmountCents: 15000,
		IssRate: &rate,
	})
	check(err)
	if service.JSON201 == nil || *service.JSON201.IssRate != rate {
		log.Fatalf("the service: %s", service.Body)
	}

	charge := emissor.CreateNfse{
		Reference: "order-1001", ServiceId: service.JSON201.Id, AmountCents: 15000,
		Customer: &emissor.InlineCustomer{
			Document: "529.982.247-25", Name: "Maria da Silva",
			Address: emissor.InlineAddress{
				ZipCode: "01310-100", Street: "Avenida Paulista", Number: "1578", District: "Bela Vista",
			},
		},
	}
	accepted, err := api.CreateNfseWithResponse(ctx, charge)
	check(err)
	if accepted.JSON202 == nil || accepted.JSON202.Idempotent {
		log.Fatalf("the issuance: %s", accepted.Body)
	}
	again, err := api.CreateNfseWithResponse(ctx, charge)
	check(err)
	if again.JSON202 == nil || !again.JSON202.Idempotent || again.JSON202.Id != accepted.JSON202.Id {
		log.Fatalf("the replay: %s", again.Body)
	}
	id := accepted.JSON202.Id
	fmt.Println("issued", await(ctx, api, id, emissor.NfseStatusIssued))

	document, err := api.GetNfseXmlWithResponse(ctx, id, nil)
	check(err)
	if document.StatusCode() != http.StatusOK || !strings.Contains(string(document.Body), "<") {
		log.Fatalf("the XML: %s", document.Body)
	}
	fmt.Println("xml", len(document.Body))

	cancelled, err := api.CancelNfseWithResponse(ctx, id, emissor.CancelNfse{
		ReasonCode: emissor.ReasonCodeN2, ReasonText: "The customer gave up before the service began.",
	})
	check(err)
	if cancelled.JSON202 == nil || cancelled.JSON202.Cancellation.Status != emissor.Pending {
		log.Fatalf("the cancellation: %s", cancelled.Body)
	}
	fmt.Println("cancelled", await(ctx, api, id, emissor.NfseStatusCancelled))

	missing, err := api.CreateNfseWithBodyWithResponse(ctx, "application/json",
		strings.NewReader(`{"reference":"order-1002"}`))
	check(err)
	report(missing.JSON400)
	charge.Reference, charge.ServiceId = "order-1003", "srv_00000000000000000000000000"
	unknown, err := api.CreateNfseWithResponse(ctx, charge)
	check(err)
	report(unknown.JSON404)
	charge.Reference, charge.ServiceId, charge.AmountCents = "order-1001", service.JSON201.Id, 1
	conflict, err := api.CreateNfseWithResponse(ctx, charge)
	check(err)
	report(conflict.JSON409)
}

// await polls a note until it stands there.
func await(ctx context.Context, api *emissor.ClientWithResponses, id string, status emissor.NfseStatus) string {
	for {
		note, err := api.GetNfseWithResponse(ctx, id)
		check(err)
		if note.JSON200 == nil {
			log.Fatalf("the note: %s", note.Body)
		}
		if note.JSON200.Status == status {
			return id
		}
		seconds, err := strconv.Atoi(note.HTTPResponse.Header.Get("Retry-After"))
		check(err)
		time.Sleep(time.Duration(seconds) * time.Second)
	}
}

func report(answer *emissor.Error) {
	if answer == nil || answer.Error.Field == nil || answer.Error.RequestId == "" || answer.Error.Retryable {
		log.Fatalf("the error: %v", answer)
	}
	fmt.Println("error", answer.Error.Code, *answer.Error.Field)
}

func check(err error) {
	if err != nil {
		log.Fatal(err)
	}
}
