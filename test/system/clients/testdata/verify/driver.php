<?php
// Answers each case of stdin, as the test writes them: ok, or refused and why.
require __DIR__ . '/emissor_webhook.php';

while (($line = fgets(STDIN)) !== false) {
    [$secret, $kind, $header, $body, $now, $tolerance] = explode("\t", rtrim($line, "\n"));
    [$secret, $header, $body] = array_map('base64_decode', [$secret, $header, $body]);
    try {
        EmissorWebhook::verify($secret, $kind === 'none' ? null : $header, $body, (int) $tolerance, (int) $now);
        echo "ok\n";
    } catch (UnexpectedValueException $why) {
        echo 'refused ', $why->getMessage(), "\n";
    }
}
