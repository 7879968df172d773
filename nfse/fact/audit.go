package fact

// CPFEnding names a person only by the last two digits of the CPF, as the audit log does.
var CPFEnding = define("cpf_ending", "CPF ending in {digits}", "CPF de final {digits}")
