package catalogues

import (
	"context"
	"slices"
	"strings"
	"unicode"

	"emissor/nfse"
	"emissor/store/postgres"
)

const (
	// Letters as the function customer_words of the database folds them.
	Accented   = `áàâãäåçéèêëíìîïñóòôõöúùûüýÁÀÂÃÄÅÇÉÈÊËÍÌÎÏÑÓÒÔÕÖÚÙÛÜÝ`
	Unaccented = `aaaaaaceeeeiiiinooooouuuuyaaaaaaceeeeiiiinooooouuuuy`

	// customerWords is the expression of the index customers_by_words.
	customerWords = `customer_words(organization_id, livemode, name, nickname)`

	// wordsLookedAt is how many customers with the words are looked at to find the newest of them.
	wordsLookedAt = 500
	// Of what is asked, so many words of so many letters are looked for: a query has bounds.
	mostWords   = 12
	mostLetters = 100
	// leastOfTaxID is how many characters of a tax id find customers.
	leastOfTaxID = 3
)

// FindCustomers finds customers of the scope by the beginning of a CPF or CNPJ, with or without its
// mask, or by the beginnings of words anywhere in name and nickname: "da silv" finds Maria da Silva.
// Neither case, accents nor the words' order matter. At most limit of them are returned, newest first.
func (s *Store) FindCustomers(
	ctx context.Context, scope nfse.Scope, text string, limit int,
) (customers []nfse.Customer, more bool, err error) {
	if id := beginningOfTaxID(text); id != "" {
		// No digit or letter of a tax id is behind z, in any collation.
		customers, more, err = s.findCustomers(ctx, `SELECT `+CustomerColumns+` FROM customers
			WHERE organization_id = $1 AND livemode = $2 AND tax_id >= $3 AND tax_id < $3 || 'zzzz'
				AND starts_with(tax_id, $3) ORDER BY tax_id LIMIT $4`, scope, id, limit)
		if err != nil || len(customers) > 0 {
			return customers, more, err
		}
	}
	return s.CustomersByWords(ctx, scope, text, limit)
}

// CustomersByWords finds customers as FindCustomers does, by words only; those whose whole name is asked for
// come first. A text without any word, as "%", finds those whose names begin with it and have none either.
func (s *Store) CustomersByWords(
	ctx context.Context, scope nfse.Scope, text string, limit int,
) (customers []nfse.Customer, more bool, err error) {
	words := wordsAsked(scope, text)
	if words == "" {
		return []nfse.Customer{}, false, nil
	}
	return s.findCustomers(ctx, `SELECT `+CustomerColumns+` FROM (
		SELECT * FROM customers WHERE `+customerWords+` @@ $3::tsquery AND organization_id = $1 AND livemode = $2
		LIMIT $5) AS customers ORDER BY (btrim(name) = $6) DESC, id DESC LIMIT $4`, scope, words, limit, wordsLookedAt,
		strings.TrimSpace(text))
}

func (s *Store) findCustomers(
	ctx context.Context, query string, scope nfse.Scope, asked string, limit int, args ...any,
) (customers []nfse.Customer, more bool, err error) {
	customers = []nfse.Customer{}
	err = s.db.SelectContext(ctx, &customers, query,
		append([]any{scope.OrganizationID, scope.Livemode, asked, limit + 1}, args...)...)
	for i := range customers {
		Complete(&customers[i])
	}
	customers, more = postgres.Cut(customers, limit)
	return customers, more, err
}

// beginningOfTaxID is a text as the beginning of a CPF or CNPJ, without its mask; empty where it is none.
func beginningOfTaxID(text string) string {
	id := strings.ToUpper(strings.NewReplacer(".", "", "/", "", "-", "").Replace(strings.TrimSpace(text)))
	if len(id) < leastOfTaxID || strings.Trim(id, "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ") != "" ||
		!strings.ContainsAny(id, "0123456789") {
		return ""
	}
	return id
}

// wordsAsked is the query of the text search: words of the scope, by their beginnings. Empty: there are none.
func wordsAsked(scope nfse.Scope, text string) string {
	from, to := []rune(Accented), Unaccented
	folded := strings.Map(func(r rune) rune {
		at := slices.Index(from, r)
		switch {
		case at >= 0:
			return rune(to[at])
		case 'A' <= r && r <= 'Z':
			return r - 'A' + 'a'
		case unicode.Is(combining, r):
			return -1
		}
		return r
	}, text)
	words := strings.FieldsFunc(folded, func(r rune) bool {
		return r <= unicode.MaxASCII && (r < 'a' || r > 'z') && (r < '0' || r > '9')
	})
	if text = strings.TrimSpace(text); len(words) == 0 && text != "" {
		words = []string{text}
	}
	words = words[:min(len(words), mostWords)]
	for i, word := range words {
		letters := []rune(word)
		word = quoted.Replace(string(letters[:min(len(letters), mostLetters)]))
		words[i] = `'` + scope.OrganizationID + `/` + scope.Environment() + `/` + word + `':*`
	}
	return strings.Join(words, ` & `)
}

// quoted is a word as the query has it between quotes.
var quoted = strings.NewReplacer(`\`, `\\`, `'`, `''`)

// combining are accents written apart from their letters.
var combining = &unicode.RangeTable{R16: []unicode.Range16{{Lo: 0x300, Hi: 0x36f, Stride: 1}}}
