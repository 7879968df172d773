import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.SignatureException;
import java.time.Duration;
import java.time.Instant;
import java.util.HexFormat;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * Verifies webhooks of Emissor: one file to copy. Java 17 or newer, and nothing but its standard library.
 *
 * <p>Promised: verify returns only where a signature in the header was made with this secret, of exactly these bytes,
 * at most a tolerance ago. Whatever was sent, it returns or throws a SignatureException that says why, after one look
 * at the header and the body, and compares signatures in constant time.
 *
 * <p>Left to you: give it the body as it came, before anything parses it; answer 2xx within 15 seconds and work on the
 * event afterwards; do nothing for an event whose id you have seen, because the same one may come again.
 */
public final class EmissorWebhook {
    private EmissorWebhook() {}

    /** Throws unless a header service-signature, or null, signs a body, at most five minutes ago. */
    public static void verify(String secret, String header, byte[] body) throws GeneralSecurityException {
        verify(secret, header, body, Duration.ofMinutes(5), Instant.now());
    }

    /** Throws unless a header service-signature, or null, signs a body, at most a tolerance before or after now. */
    public static void verify(String secret, String header, byte[] body, Duration tolerance, Instant now)
            throws GeneralSecurityException {
        if (secret == null || secret.isEmpty()) {
            throw new SignatureException("the secret of the endpoint is missing");
        }
        String[] fields = header == null ? new String[] {""} : header.split(",", -1);
        if (!fields[0].matches("t=[0-9]{1,12}")) {
            throw new SignatureException("the header service-signature is missing, or has no time");
        }
        String moment = fields[0].substring(2);
        if (Math.abs(now.getEpochSecond() - Long.parseLong(moment)) > tolerance.toSeconds()) {
            throw new SignatureException("it was not signed lately: it is a replay, or a clock is wrong");
        }
        Mac mac = Mac.getInstance("HmacSHA256");
        mac.init(new SecretKeySpec(secret.getBytes(StandardCharsets.UTF_8), "HmacSHA256"));
        mac.update((moment + ".").getBytes(StandardCharsets.UTF_8));
        byte[] expected = ("v1=" + HexFormat.of().formatHex(mac.doFinal(body))).getBytes(StandardCharsets.UTF_8);
        // There are two v1 while a secret is being changed. Fields that a later version adds are not looked at.
        for (String field : fields) {
            if (MessageDigest.isEqual(field.getBytes(StandardCharsets.UTF_8), expected)) {
                return;
            }
        }
        throw new SignatureException("no signature is of this body, by this secret");
    }
}
