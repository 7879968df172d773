package main

import (
	"bytes"
	"image"
	"image/png"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"emissor/nfse"
	"emissor/test/testkit"
)

// An operator prints a note: as it is, and once it is cancelled.
func TestNoteCommand_DANFSe(t *testing.T) {
	t.Parallel()
	database := testkit.NewDatabase(t)
	_, key, _ := database.NewOrganization(t, "Clínica Exemplo")
	s := settingsOf(database)
	program := start(t, s, "serve")
	caller := caller{program.api, key}
	id := caller.issue(t, caller.newService(t), "order", nfse.ScenarioAuthorized)
	rejected := caller.issue(t, caller.newService(t), "rejected", nfse.ScenarioRejected)
	await := func(id, status string) {
		t.Helper()
		eventuallyShows(t, s, id, status)
	}
	await(id, "issued")
	file := filepath.Join(t.TempDir(), "note.pdf")
	if said := succeeds(t, s, "note", "danfse", id, "-o", file); !strings.Contains(said, file) {
		t.Errorf("the command says %s", said)
	}
	issued, err := os.ReadFile(file)
	must(t, err)
	if info, err := os.Stat(file); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the file is %v, %v", info.Mode(), err)
	}
	if text := testkit.PDFText(t, issued); !strings.Contains(text, "SEM VALOR FISCAL") ||
		!strings.Contains(text, "529.982.247-25") || strings.Contains(text, "C A N C E L A D A") {
		t.Errorf("the page says %s", text)
	}
	if again := succeeds(t, s, "note", "danfse", id, "-o", "-"); again != string(issued) {
		t.Error("the same note is drawn otherwise")
	}

	caller.post(t, "/v1/nfse/"+id+"/cancel", testkit.Body{"reason_code": "1", "reason_text": "Valor errado na nota"},
		http.StatusAccepted)
	await(id, "cancelled")
	cancelled := printed[struct {
		Note, File string
		Bytes      int
	}](t, s, "note", "danfse", id, "--output", file)
	if cancelled.Note != id || cancelled.File != file || cancelled.Bytes < 1000 {
		t.Errorf("a script reads %+v", cancelled)
	}
	page, err := os.ReadFile(file)
	must(t, err)
	if text := testkit.PDFText(t, page); !strings.Contains(text, "C A N C E L A D A") {
		t.Errorf("the page of the cancelled note says %s", text)
	}

	await(rejected, "rejected")
	fails(t, s, "the note is rejected and has no XML", "note", "danfse", rejected, "-o", file)
	fails(t, s, "there is no note", "note", "danfse", "nfse_x", "-o", file)
	misused(t, s, "--output", "note", "danfse", id)
	fails(t, s, "not a directory", "note", "danfse", id, "-o", filepath.Join(file, "below"))
}

func TestNoteCommand_DANFSeLogo(t *testing.T) {
	t.Parallel()
	database := testkit.NewDatabase(t)
	id := issueLive(t, database, bookkept(t, database), "order")
	s := settingsOf(database)
	plain := succeeds(t, s, "note", "danfse", id, "-o", "-")
	var logo bytes.Buffer
	must(t, png.Encode(&logo, image.NewGray(image.Rect(0, 0, 54, 11))))
	with := func(content []byte) settings {
		return s.with("EMISSOR_DANFSE_LOGO", write(t, "logo.png", content))
	}
	if drawn := succeeds(t, with(logo.Bytes()), "note", "danfse", id, "-o", "-"); drawn == plain {
		t.Error("the page is drawn without the logo")
	}
	fails(t, with([]byte("<svg/>")), "EMISSOR_DANFSE_LOGO: the logo is neither PNG nor JPEG", "note", "danfse", id,
		"-o", "-")
	fails(t, s.with("EMISSOR_DANFSE_LOGO", "/nowhere.png"), "EMISSOR_DANFSE_LOGO: open /nowhere.png", "note", "danfse",
		id, "-o", "-")
}
