import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.security.SignatureException;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;

/** Answers each case of stdin, as the test writes them: ok, or refused and why. */
public class Driver {
    public static void main(String[] arguments) throws Exception {
        var in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.US_ASCII));
        for (String line = in.readLine(); line != null; line = in.readLine()) {
            String[] given = line.split("\t", -1);
            Base64.Decoder plain = Base64.getDecoder();
            String header = new String(plain.decode(given[2]),
                given[1].equals("text") ? StandardCharsets.UTF_8 : StandardCharsets.ISO_8859_1);
            try {
                EmissorWebhook.verify(new String(plain.decode(given[0]), StandardCharsets.UTF_8),
                    given[1].equals("none") ? null : header, plain.decode(given[3]),
                    Duration.ofSeconds(Long.parseLong(given[5])), Instant.ofEpochSecond(Long.parseLong(given[4])));
                System.out.println("ok");
            } catch (SignatureException why) {
                System.out.println("refused " + why.getMessage());
            }
        }
    }
}
