package classification_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"emissor/fiscal/national/classification"
	"emissor/fiscal/national/taxation"
	"emissor/test/reference"
)

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// official reads a table of the official material, by column names.
func official(t *testing.T, name string) (rows []map[string]string) {
	t.Helper()
	text := string(reference.ReadNational(t, "data/"+name))
	var columns []string
	for line := range strings.Lines(text) {
		cells := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		if columns == nil {
			columns = cells
			continue
		}
		row := map[string]string{}
		for i, column := range columns {
			row[column] = cells[i]
		}
		rows = append(rows, row)
	}
	return rows
}

func flag(set bool) string {
	if set {
		return "1"
	}
	return "0"
}

// classTribRecords are the rows of an edition that was imported.
func classTribRecords() (records []classification.Record) {
	for _, row := range tables().ClassTribs() {
		records = append(records, classification.Record{
			"cClassTrib": row.Code, "name": row.Name, "indNFSe": flag(row.NFSe), "pRedIBS": row.PRedIBS,
			"pRedCBS": row.PRedCBS, "ind_gTribRegular": flag(row.GTribRegular),
			"ind_gCredPresOper": flag(row.GCredPresOper), "ind_gEstornoCred": flag(row.GEstornoCred),
			"tpRBSN": row.RevenueKind, "dIniVig": row.From, "dFimVig": row.Until})
	}
	return records
}

func creditRecords() (records []classification.Record) {
	for i := range 13 {
		records = append(records, classification.Record{"cCredPres": fmt.Sprintf("%02d", i+1),
			"dIniVigCBS": "2027-01-01", "dIniVigIBS": "2029-01-01"})
	}
	return records
}

// What is built in equals the official tables, row by row.
func TestBuiltIn_EqualsTheOfficialTables(t *testing.T) {
	built := tables()
	same := func(code, column, got, want string) {
		t.Helper()
		if got != want {
			t.Errorf("%s: %s is %q, officially %q", code, column, got, want)
		}
	}
	t.Run("CST", func(t *testing.T) {
		rows := official(t, "cst-ibscbs.tsv")
		if len(rows) != len(built.CSTs()) {
			t.Errorf("there are %d, officially %d", len(built.CSTs()), len(rows))
		}
		for _, row := range rows {
			cst, _ := built.CST(row["CST"])
			for column, set := range map[string]bool{
				"ind_gIBSCBS": cst.GIBSCBS, "ind_gIBSCBSMono": cst.GIBSCBSMono, "ind_gRed": cst.GRed,
				"ind_gDif": cst.GDif, "ind_gTransfCred": cst.GTransfCred, "ind_gCredPresIBSZFM": cst.GCredPresIBSZFM,
				"ind_gAjusteCompet": cst.GAjusteCompet, "ind_RedutorBC": cst.HasRedutorBC,
			} {
				same(row["CST"], column, flag(set), row[column])
			}
		}
	})
	t.Run("ClassTrib", func(t *testing.T) {
		rows := official(t, "cclasstrib.tsv")
		if len(rows) != len(built.ClassTribs()) {
			t.Errorf("there are %d, officially %d", len(built.ClassTribs()), len(rows))
		}
		for _, row := range rows {
			code := row["cClassTrib"]
			found, _ := built.ClassTrib(code)
			cst, _ := built.CST(row["CST"])
			for column, got := range map[string]string{
				"indNFSe": flag(found.NFSe), "pRedIBS": found.PRedIBS, "pRedCBS": found.PRedCBS,
				"tpRBSN": found.RevenueKind, "dIniVig": found.From, "dFimVig": found.Until,
				"ind_gTribRegular": flag(found.GTribRegular), "ind_gIBSCBS": flag(cst.GIBSCBS),
				"ind_gRed": flag(cst.GRed), "ind_gDif": flag(cst.GDif),
			} {
				same(code, column, got, row[column])
			}
			for column, set := range map[string]bool{
				"ind_gCredPresOper": found.GCredPresOper, "ind_gEstornoCred": found.GEstornoCred,
			} {
				if row[column] != "" { // nobody has seen it
					same(code, column, flag(set), row[column])
				}
			}
			if found.NFSe == (found.Name == "") {
				t.Errorf("%s has the name %q", code, found.Name)
			}
		}
	})
	t.Run("IndOp", func(t *testing.T) {
		count := 0
		for _, row := range official(t, "indop.tsv") {
			found, ok := built.IndOp(row["cIndOp"])
			same(row["cIndOp"], "in Annex C", flag(ok), row["in_annexC_v1.01"])
			if ok {
				count++
				if found.Name == "" || found.Place == "" {
					t.Errorf("%s has no words", found.Code)
				}
			}
		}
		if count != 26 || len(built.IndOps()) != count {
			t.Errorf("there are %d of %d", len(built.IndOps()), count)
		}
	})
	t.Run("IndOp of the city", func(t *testing.T) {
		count, city := 0, built.WithIndOps(classification.TableIndOpSaoPaulo)
		for _, row := range official(t, "indop.tsv") {
			found, ok := city.IndOp(row["cIndOp"])
			forNFSe := row["in_annexVII_v1.02.00"] == "1" && row["indNFSe_VII_v1.02.00"] == "S"
			same(row["cIndOp"], "for NFS-e in Annex VII", flag(ok), flag(forNFSe))
			if ok {
				count++
				if found.Name == "" || found.Place == "" {
					t.Errorf("%s has no words", found.Code)
				}
			}
		}
		if count != 24 || len(city.IndOps()) != count {
			t.Errorf("there are %d of %d", len(city.IndOps()), count)
		}
	})
	t.Run("NBS", func(t *testing.T) {
		rows := official(t, "nbs-anexoB.tsv")
		if edition := built.Edition(classification.TableNBS); edition.Rows() != len(rows) || len(rows) != 918 {
			t.Errorf("there are %d, officially %d", edition.Rows(), len(rows))
		}
		for _, row := range rows {
			if name, ok := built.NBS(row["cNBS"]); !ok || name != strings.TrimSpace(row["description"]) {
				t.Errorf("%s is missing, or has another name", row["cNBS"])
			}
		}
	})
	t.Run("services", func(t *testing.T) {
		rows := official(t, "ctribnac-anexoB-v1.01-20260122.tsv")
		if edition := built.Edition(classification.TableServiceCode); edition.Rows() != len(rows) || len(rows) != 338 {
			t.Errorf("there are %d, officially %d", edition.Rows(), len(rows))
		}
		for _, row := range rows {
			name, ok := built.ServiceCode(row["cTribNac"])
			same(row["cTribNac"], "a code of taxation", flag(ok), flag(taxation.KnownServiceCode(row["cTribNac"])))
			same(row["cTribNac"], "name", name, strings.TrimSpace(row["description"]))
		}
	})
}

func TestEditions_On(t *testing.T) {
	records := creditRecords()
	edition := func(name, from string) *classification.Edition {
		t.Helper()
		made, err := classification.NewEdition(classification.TableCredPres, name, from, records)
		must(t, err)
		return made
	}
	editions := classification.NewEditions(edition("second", "2026-06-01"), edition("wrong", "2027-01-01"),
		edition("first", "2026-01-01"), edition("right", "2027-01-01"))
	for day, name := range map[string]string{
		"2025-12-31": "", "2026-01-01": "first", "2026-05-31": "first", "2026-06-01": "second", "2026-12-31": "second",
		"2027-01-01": "right",
	} {
		found := ""
		if chosen := editions.On(day).Edition(classification.TableCredPres); chosen != nil {
			found = chosen.Name
		}
		if found != name {
			t.Errorf("on %s the edition is %q, expected %q", day, found, name)
		}
	}
}

// An import replaces what is built in from its day on.
func TestEditions_ReplaceTheBuiltIn(t *testing.T) {
	records := classTribRecords()
	for _, record := range records {
		if record["cClassTrib"] == "000001" {
			record["cClassTrib"] = "000099"
		}
	}
	edition, err := classification.NewEdition(classification.TableClassTrib, "new", "2027-01-01", records)
	must(t, err)
	editions := classification.NewEditions(edition)
	for day, known := range map[string]bool{"2020-01-01": true, "2026-12-31": true, "2027-01-01": false} {
		if _, ok := editions.On(day).ClassTrib("000001"); ok != known {
			t.Errorf("on %s 000001 is known: %v", day, ok)
		}
	}
}

func TestNewEdition_Refused(t *testing.T) {
	changed := func(column, value string) []classification.Record {
		records := creditRecords()
		records[3][column] = value
		return records
	}
	for words, make := range map[string]func() (*classification.Edition, error){
		"no table": func() (*classification.Edition, error) {
			return classification.NewEdition("x", "x", "", nil)
		},
		"no day": func() (*classification.Edition, error) {
			return classification.NewEdition(classification.TableNBS, "x", "2026-02-30", nil)
		},
		"has 2 rows": func() (*classification.Edition, error) {
			return classification.NewEdition(classification.TableCredPres, "x", "", creditRecords()[:2])
		},
		"row 4: cCredPres 01 is there twice": func() (*classification.Edition, error) {
			return classification.NewEdition(classification.TableCredPres, "x", "", changed("cCredPres", "01"))
		},
		"row 4: cCredPres must be 2 digits": func() (*classification.Edition, error) {
			return classification.NewEdition(classification.TableCredPres, "x", "", changed("cCredPres", "4"))
		},
		"row 4: dIniVigIBS must be a day": func() (*classification.Edition, error) {
			return classification.NewEdition(classification.TableCredPres, "x", "", changed("dIniVigIBS", "2027"))
		},
		"only 0 codes": func() (*classification.Edition, error) {
			records := classTribRecords()
			for _, record := range records {
				record["indNFSe"] = "0"
			}
			return classification.NewEdition(classification.TableClassTrib, "x", "", records)
		},
		"indNFSe must be 0 or 1": func() (*classification.Edition, error) {
			records := classTribRecords()
			records[0]["indNFSe"] = "S"
			return classification.NewEdition(classification.TableClassTrib, "x", "", records)
		},
	} {
		if edition, err := make(); err == nil || !strings.Contains(err.Error(), words) {
			t.Errorf("%s: answered %v, %v", words, edition, err)
		}
	}
}

// slow is a Loader of one edition, whose first answer is older, and comes late.
type slow struct {
	edition *classification.Edition
	answer  chan struct{}
	reads   atomic.Int32
}

func (s *slow) Version(context.Context) (string, error) { return fmt.Sprint(s.reads.Load()), nil }

func (s *slow) Imported(context.Context) ([]*classification.Edition, error) {
	if s.reads.Add(1) == 1 {
		<-s.answer
		return nil, nil
	}
	return []*classification.Edition{s.edition}, nil
}

// Of two loads at once the one that began earlier never has the last word.
func TestSource_LoadsOneAfterTheOther(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		edition, err := classification.NewEdition(classification.TableCredPres, "x", today, creditRecords())
		must(t, err)
		loader := &slow{edition: edition, answer: make(chan struct{})}
		source := classification.NewSource(loader, slog.New(slog.DiscardHandler))
		for range 2 {
			go func() {
				if err := source.Load(t.Context()); err != nil {
					t.Error(err)
				}
			}()
			synctest.Wait()
		}
		hurried, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		if err := source.Load(hurried); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("who cannot wait is answered %v", err)
		}
		close(loader.answer)
		synctest.Wait()
		if source.Editions().On(today).Edition(classification.TableCredPres) == nil {
			t.Error("the older state has replaced the newer")
		}
	})
}

// record is a Loader.
type record struct {
	mu       sync.Mutex
	version  string
	imported []*classification.Edition
	err      error
	reads    int
}

func (r *record) Version(context.Context) (string, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.version, r.err
}

func (r *record) Imported(context.Context) ([]*classification.Edition, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.reads++
	return r.imported, r.err
}

// holds is what is on record from now on.
func (r *record) holds(version string, err error, imported ...*classification.Edition) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.version, r.err, r.imported = version, err, imported
}

func (r *record) wasRead() int {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.reads
}

func TestSource(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		edition, err := classification.NewEdition(classification.TableCredPres, "x", today, creditRecords())
		must(t, err)
		loader := &record{}
		source := classification.NewSource(loader, slog.New(slog.NewTextHandler(io.Discard, nil)))
		imported := func() bool {
			return source.Editions().On(today).Edition(classification.TableCredPres) != nil
		}
		if source.Editions().On(today).Edition(classification.TableNBS) == nil || imported() {
			t.Error("before the first load it has not what is built in")
		}
		ctx, stop := context.WithCancel(t.Context())
		go source.Run(ctx)
		const aMinute = time.Minute + time.Second
		time.Sleep(10 * time.Minute)
		if reads := loader.wasRead(); reads != 0 {
			t.Errorf("editions were read %d times although none was imported", reads)
		}
		loader.holds("1", nil, edition)
		time.Sleep(aMinute)
		if !imported() {
			t.Error("a minute after its import an edition is not there")
		}
		time.Sleep(time.Hour)
		loader.holds("2", errors.New("out of order"), edition)
		time.Sleep(aMinute)
		if reads := loader.wasRead(); !imported() || reads != 1 {
			t.Errorf("after a load that failed it is there: %v; read %d times", imported(), reads)
		}
		stop()
		synctest.Wait()
	})
}
