# frozen_string_literal: true

require 'openssl'

# Verifies webhooks of Emissor: one file to copy. Ruby 3.0 or newer, and nothing but its standard library.
#
# Promised: verify returns only where a signature in the header was made with this secret, of exactly these bytes, at
# most `tolerance` seconds ago. Whatever was sent, it returns or raises an ArgumentError that says why, after one look
# at the header and the body, and compares signatures in constant time.
#
# Left to you: give it the body as it came, before anything parses it; answer 2xx within 15 seconds and work on the
# event afterwards; do nothing for an event whose id you have seen, because the same one may come again.
module EmissorWebhook
  # Raises ArgumentError unless a header service-signature, a String or nil, signs a body. `now` is in Unix seconds.
  def self.verify(secret, header, body, tolerance: 300, now: Time.now.to_i)
    raise ArgumentError, 'the secret of the endpoint is missing' if secret.to_s.empty?

    fields = header.to_s.b.split(',', -1)
    moment = fields.first.to_s[/\At=([0-9]{1,12})\z/, 1]
    raise ArgumentError, 'the header service-signature is missing, or has no time' unless moment
    unless (now - moment.to_i).abs <= tolerance
      raise ArgumentError, 'it was not signed lately: it is a replay, or a clock is wrong'
    end

    expected = "v1=#{OpenSSL::HMAC.hexdigest('SHA256', secret, "#{moment}.".b + body.b)}"
    # There are two v1 while a secret is being changed. Fields that a later version adds are not looked at.
    same = fields.any? do |field|
      field.bytesize == expected.bytesize && OpenSSL.fixed_length_secure_compare(field, expected)
    end
    raise ArgumentError, 'no signature is of this body, by this secret' unless same
  end
end
