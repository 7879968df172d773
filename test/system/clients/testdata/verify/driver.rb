# Answers each case of stdin, as the test writes them: ok, or refused and why.
require_relative 'emissor_webhook'

STDIN.each_line(chomp: true) do |line|
  secret, kind, header, body, now, tolerance = line.split("\t", -1)
  secret, header, body = [secret, header, body].map { |text| text.unpack1('m0') }
  header = { 'none' => nil, 'text' => header.dup.force_encoding('UTF-8'), 'bytes' => header }.fetch(kind)
  begin
    EmissorWebhook.verify(secret, header, body, tolerance: tolerance.to_i, now: now.to_i)
    puts 'ok'
  rescue ArgumentError => e
    puts "refused #{e.message}"
  end
end
