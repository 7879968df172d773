package dashboard

import (
	"embed"
	"strings"
)

//go:embed receivers
var receiverFiles embed.FS

// receiver is a sample of a program that receives webhooks and checks their
// signatures, ready to run.
type receiver struct {
	Language string // its name
	File     string // to save it as
	Code     string
	Copy     string // the code as it is copied
}

// receiverSamples are the sample of each language, and the expression that reads its secret.
var receiverSamples = []struct{ language, file, secret string }{
	{"Go", "receiver.go", `os.Getenv("EMISSOR_WEBHOOK_SECRET")`},
	{"Python", "receiver.py", `os.environ["EMISSOR_WEBHOOK_SECRET"]`},
	{"Node.js", "receiver.mjs", `process.env.EMISSOR_WEBHOOK_SECRET`},
	{"PHP", "receiver.php", `getenv('EMISSOR_WEBHOOK_SECRET')`},
}

// receivers are the samples. With a secret, which the same page shows, what is copied has
// it; else they read it from the environment.
func receivers(secret string) (samples []receiver) {
	for _, one := range receiverSamples {
		content, err := receiverFiles.ReadFile("receivers/" + one.file + ".txt")
		if err != nil {
			panic(err) // it is embedded
		}
		sample := receiver{one.language, one.file, string(content), string(content)}
		if secret != "" {
			sample.Copy = strings.Replace(sample.Code, one.secret, `"`+secret+`"`, 1)
		}
		samples = append(samples, sample)
	}
	return samples
}

// receiverPage shows the samples, which read the secret from the environment.
type receiverPage struct{ Receivers []receiver }

func (d *Dashboard) showReceiver(r *request) error {
	return r.render("receiver", "receiving.title", receiverPage{receivers("")})
}
