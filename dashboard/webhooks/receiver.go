package webhooks

import (
	"embed"
	"strings"

	"emissor/dashboard/frame"
)

//go:embed receivers
var receiverFiles embed.FS

// receiverSamples are the sample of each language, and the expression that reads its secret.
var receiverSamples = []struct {
	language string
	files    []string
	secret   string
}{
	{"Go", []string{"receiver.go"}, `os.Getenv("EMISSOR_WEBHOOK_SECRET")`},
	{"Python", []string{"receiver.py", "emissor_webhook.py"}, `os.environ["EMISSOR_WEBHOOK_SECRET"]`},
	{"Node.js", []string{"receiver.mjs", "emissor_webhook.js"}, `process.env.EMISSOR_WEBHOOK_SECRET`},
	{"PHP", []string{"receiver.php", "emissor_webhook.php"}, `getenv('EMISSOR_WEBHOOK_SECRET')`},
}

// receivers are the samples. With a secret, which the same page shows, what is copied has
// it; else they read it from the environment.
func receivers(secret string) (samples []frame.Receiver) {
	for _, one := range receiverSamples {
		sample := frame.Receiver{Language: one.language}
		for _, name := range one.files {
			content, err := receiverFiles.ReadFile("receivers/" + name + ".txt")
			if err != nil {
				panic(err) // it is embedded
			}
			file := frame.ReceiverFile{Name: name, Code: string(content), Copy: string(content)}
			if secret != "" {
				file.Copy = strings.Replace(file.Code, one.secret, `"`+secret+`"`, 1)
			}
			sample.Files = append(sample.Files, file)
		}
		samples = append(samples, sample)
	}
	return samples
}

// receiverPage shows the samples, which read the secret from the environment.
type receiverPage struct{ Receivers []frame.Receiver }

func ShowReceiver(r *frame.Request) error {
	return r.Render("receiver", "receiving.title", receiverPage{receivers("")})
}
