using System;
using System.Linq;
using System.Security.Cryptography;
using System.Text;
using System.Text.RegularExpressions;

/// <summary>
/// Verifies webhooks of Emissor: one file to copy. .NET Framework 4.6, Mono or any newer .NET, without packages.
///
/// Promised: Verify returns only where a signature in the header was made with this secret, of exactly these bytes, at
/// most tolerance seconds ago. Whatever was sent, it returns or throws a CryptographicException that says why, after
/// one look at the header and the body, and compares signatures in constant time.
///
/// Left to you: give it the body as it came, before anything parses it; answer 2xx within 15 seconds and work on the
/// event afterwards; do nothing for an event whose id you have seen, because the same one may come again.
/// </summary>
public static class EmissorWebhook
{
    /// <summary>Throws unless a header service-signature, or null, signs a body. now is by default the clock.</summary>
    public static void Verify(
        string secret, string header, byte[] body, int tolerance = 300, DateTimeOffset? now = null)
    {
        if (string.IsNullOrEmpty(secret)) throw new CryptographicException("the secret of the endpoint is missing");
        var fields = (header ?? "").Split(',');
        var signed = Regex.Match(fields[0], @"\At=([0-9]{1,12})\z");
        if (!signed.Success)
            throw new CryptographicException("the header service-signature is missing, or has no time");
        var moment = signed.Groups[1].Value;
        if (Math.Abs((now ?? DateTimeOffset.UtcNow).ToUnixTimeSeconds() - long.Parse(moment)) > tolerance)
            throw new CryptographicException("it was not signed lately: it is a replay, or a clock is wrong");
        string expected;
        using (var mac = new HMACSHA256(Encoding.UTF8.GetBytes(secret)))
        {
            var beginning = Encoding.UTF8.GetBytes(moment + ".");
            mac.TransformBlock(beginning, 0, beginning.Length, null, 0);
            mac.TransformFinalBlock(body, 0, body.Length);
            expected = "v1=" + BitConverter.ToString(mac.Hash).Replace("-", "").ToLowerInvariant();
        }
        // There are two v1 while a secret is being changed. Fields that a later version adds are not looked at.
        if (!fields.Any(field => Same(field, expected)))
            throw new CryptographicException("no signature is of this body, by this secret");
    }

    /// <summary>Compares in a time that does not depend on where two texts differ.</summary>
    static bool Same(string one, string other)
    {
        var difference = one.Length ^ other.Length;
        for (var i = 0; i < one.Length && i < other.Length; i++) difference |= one[i] ^ other[i];
        return difference == 0;
    }
}
