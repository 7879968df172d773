<?php

declare(strict_types=1);

/**
 * Verifies webhooks of Emissor: one file to copy. PHP 8.1 or newer, without extensions.
 *
 * Promised: verify returns only where a signature in the header was made with this secret, of exactly these bytes, at
 * most $tolerance seconds ago. Whatever was sent, it returns or throws an UnexpectedValueException that says why, after
 * one look at the header and the body, and compares signatures in constant time.
 *
 * Left to you: give it the body as it came, before anything parses it (file_get_contents('php://input')); answer 2xx
 * within 15 seconds and work on the event afterwards; do nothing for an event whose id you have seen, because the same
 * one may come again.
 */
final class EmissorWebhook
{
    /** Throws unless a header service-signature signs a body. $now is in Unix seconds; null is the clock's. */
    public static function verify(
        string $secret,
        ?string $header,
        string $body,
        int $tolerance = 300,
        ?int $now = null,
    ): void {
        if ($secret === '') {
            throw new UnexpectedValueException('the secret of the endpoint is missing');
        }
        $fields = explode(',', $header ?? '');
        if (preg_match('/\At=([0-9]{1,12})\z/', $fields[0], $signed) !== 1) {
            throw new UnexpectedValueException('the header service-signature is missing, or has no time');
        }
        if (abs(($now ?? time()) - (int) $signed[1]) > $tolerance) {
            throw new UnexpectedValueException('it was not signed lately: it is a replay, or a clock is wrong');
        }
        $expected = 'v1=' . hash_hmac('sha256', $signed[1] . '.' . $body, $secret);
        // There are two v1 while a secret is being changed. Fields that a later version adds are not looked at.
        foreach ($fields as $field) {
            if (hash_equals($expected, $field)) {
                return;
            }
        }
        throw new UnexpectedValueException('no signature is of this body, by this secret');
    }
}
