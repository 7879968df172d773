package api_test

import (
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"testing"

	"emissor/nfse"
	"emissor/test/testkit"
)

// ids reads the ids of a page.
func ids(page testkit.Answer) []string {
	found := []string{}
	records, _ := page.JSON["data"].([]any)
	for _, record := range records {
		found = append(found, record.(Body)["id"].(string))
	}
	return found
}

// list is a list of the API with a way to make a record of it.
type list struct {
	path   string
	prefix nfse.Prefix
	make   func(t *testing.T, s *testkit.System, key string, i int) string
}

var lists = []list{
	{"/v1/services", nfse.PrefixService, func(t *testing.T, s *testkit.System, key string, _ int) string {
		return s.NewService(t, key)
	}},
	{"/v1/customers", nfse.PrefixCustomer, func(t *testing.T, s *testkit.System, key string, i int) string {
		return s.Call(t, "POST", "/v1/customers", key, Body{"document": cpf(i), "name": "Maria"}).
			Expect(t, http.StatusCreated).Text("id")
	}},
	{"/v1/nfse", nfse.PrefixNote, func(t *testing.T, s *testkit.System, key string, i int) string {
		return s.Issue(t, key, testkit.Issuance(s.NewService(t, key), "order-"+strconv.Itoa(i)))
	}},
}

func TestList_Pages(t *testing.T) {
	for _, list := range lists {
		t.Run(list.path, func(t *testing.T) {
			s := newSystem(t)
			_, otherKey, _ := s.NewOrganization(t, "Outra")
			empty := get(t, s, list.path).Expect(t, http.StatusOK)
			same(t, "an empty list", string(empty.Raw), `{"data":[],"next_cursor":null}`)

			var made []string
			for i := range 12 {
				made = append(made, list.make(t, s, s.TestKey, i))
				list.make(t, s, s.LiveKey, i)
				list.make(t, s, otherKey, i)
			}
			slices.Reverse(made)

			first := get(t, s, list.path).Expect(t, http.StatusOK)
			same(t, "the page without parameters", ids(first), made[:10])
			same(t, "its cursor", first.At("next_cursor"), made[9])
			second := get(t, s, list.path+"?starting_after="+first.Text("next_cursor")).Expect(t, http.StatusOK)
			same(t, "the page after it", ids(second), made[10:])
			same(t, "the cursor at the end", second.At("next_cursor"), nil)

			for _, limit := range []int{1, 5, 6, 12, 100} { // dividing 12 or not
				var seen []string
				cursor, pages := "", 0
				for more := true; more; pages++ {
					page := get(t, s, list.path+"?limit="+strconv.Itoa(limit)+cursor).Expect(t, http.StatusOK)
					seen = append(seen, ids(page)...)
					if page.Text("next_cursor") != "" {
						same(t, "a page that is not the last", len(ids(page)), limit)
					}
					cursor = "&starting_after=" + page.Text("next_cursor")
					more = page.At("next_cursor") != nil
				}
				same(t, "pages of "+strconv.Itoa(limit), seen, made)
				same(t, "their number", pages, (12+limit-1)/limit)
			}

			record := get(t, s, list.path+"/"+made[0]).Expect(t, http.StatusOK)
			same(t, "a record of the list and alone", first.JSON["data"].([]any)[0], any(record.JSON))
		})
	}
}

func TestList_Cursor(t *testing.T) {
	for _, list := range lists {
		t.Run(list.path, func(t *testing.T) {
			s := newSystem(t)
			id := list.make(t, s, s.TestKey, 1)
			foreign := list.make(t, s, s.LiveKey, 1)
			for cursor, expected := range map[string][]string{
				string(list.prefix) + strings.Repeat("0", 26): {},
				string(list.prefix) + strings.Repeat("z", 26): {id},
				unknownID(list.prefix):                        {id}, // newer than all
				foreign:                                       {id}, // of another environment, and newer
			} {
				page := get(t, s, list.path+"?starting_after="+cursor).Expect(t, http.StatusOK)
				same(t, "after "+cursor, ids(page), expected)
			}
		})
	}
}

func TestList_WrongParameters(t *testing.T) {
	s := newSystem(t)
	for _, list := range lists {
		for query, field := range map[string]string{
			"limit=0": "limit", "limit=101": "limit", "limit=-1": "limit", "limit=": "limit", "limit": "limit",
			"limit=ten": "limit", "limit=1.0": "limit",
			"limit=1e1": "limit", "limit=+5": "limit", "limit=0x10": "limit", "limit=99999999999999999999": "limit",
			"limit=%D9%A5":    "limit",
			"limit=5&limit=5": "limit", "limit=5&limit=6": "limit",
			"starting_after=": "starting_after", "starting_after=1": "starting_after",
			"starting_after=" + unknownID(nfse.PrefixRequest):                                        "starting_after",
			"starting_after=" + strings.ToUpper(unknownID(list.prefix)):                              "starting_after",
			"starting_after=" + unknownID(list.prefix) + "&starting_after=" + unknownID(list.prefix): "starting_after",
			"starting_after=%27%3B--": "starting_after",
			"Limit=5":                 "Limit", "page=2": "page", "status=issued": "status",
			"ending_before=x": "ending_before", "=1": "",
			"limit=%zz": "", "limit=5;starting_after=x": "",
			"limit=0&starting_after=1": "limit", "a=1&b=2": "a",
		} {
			get(t, s, list.path+"?"+query).ExpectError(t, http.StatusBadRequest, nfse.CodeInvalidRequest, field)
		}
		for _, query := range []string{"limit=1", "limit=100", "", "limit=" + url.QueryEscape("5")} {
			get(t, s, list.path+"?"+query).Expect(t, http.StatusOK)
		}
	}
}
