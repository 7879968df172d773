package words

// overview is the first page.
var overview = table{
	"overview.latest": {"Notas mais novas", "Latest notes"},
	"overview.all":    {"Todas as notas", "All notes"},
}
