using System;
using System.Security.Cryptography;
using System.Text;

/// <summary>Answers each case of stdin, as the test writes them: ok, or refused and why.</summary>
static class Driver
{
    static void Main()
    {
        for (var line = Console.In.ReadLine(); line != null; line = Console.In.ReadLine())
        {
            var given = line.Split('\t');
            var encoding = given[1] == "text" ? Encoding.UTF8 : Encoding.GetEncoding("iso-8859-1");
            var header = given[1] == "none" ? null : encoding.GetString(Convert.FromBase64String(given[2]));
            var secret = Encoding.UTF8.GetString(Convert.FromBase64String(given[0]));
            var now = DateTimeOffset.FromUnixTimeSeconds(long.Parse(given[4]));
            try
            {
                EmissorWebhook.Verify(secret, header, Convert.FromBase64String(given[3]), int.Parse(given[5]), now);
                Console.WriteLine("ok");
            }
            catch (CryptographicException why)
            {
                Console.WriteLine("refused " + why.Message);
            }
        }
    }
}
