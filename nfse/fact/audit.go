package fact

// CPFEnding tells a person by the last two digits of the CPF alone, as the audit log does.
var CPFEnding = define("cpf_ending", "CPF ending in {digits}", "CPF de final {digits}")
