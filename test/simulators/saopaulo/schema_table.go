package saopaulo

// schemaTable holds the messages of layout 2 as the edition v02-4 of the schemas orders
// them, with the element that v02-5 adds (RetencaoPisCofins) and the one that it makes
// optional (PagamentoParceladoAntecipado): see Registry.Edition04.
const schemaTable = `
PedidoEnvioRPS        Cabecalho:Cabecalho RPS:RPS Signature:ds.Signature
PedidoEnvioLoteRPS    Cabecalho:CabecalhoLote RPS:RPS{50} Signature:ds.Signature
PedidoConsultaNFe     Cabecalho:Cabecalho Detalhe:DetalheConsulta{50} Signature:ds.Signature
PedidoCancelamentoNFe Cabecalho:CabecalhoCancelamento Detalhe:DetalheCancelamento{50} Signature:ds.Signature
PedidoConsultaCNPJ    Cabecalho:Cabecalho CNPJContribuinte:CPFCNPJ Signature:ds.Signature
PedidoConsultaNFePeriodo Cabecalho:CabecalhoPeriodo Signature:ds.Signature

Cabecalho             CPFCNPJRemetente:CPFCNPJ
CabecalhoLote         CPFCNPJRemetente:CPFCNPJ transacao:boolean? dtInicio:date dtFim:date QtdRPS:tpQuantidade
CabecalhoCancelamento CPFCNPJRemetente:CPFCNPJ transacao:boolean
CabecalhoPeriodo      CPFCNPJRemetente:CPFCNPJ CPFCNPJ:CPFCNPJ Inscricao:tpInscricaoMunicipal? dtInicio:date
                      dtFim:date NumeroPagina:tpNumero
DetalheConsulta       (ChaveRPS:ChaveRPS|ChaveNFe:ChaveNFe)
DetalheCancelamento   ChaveNFe:ChaveNFe AssinaturaCancelamento:tpAssinaturaCancelamento

CPFCNPJ               (CPF:tpCPF|CNPJ:tpCNPJ)
CPFCNPJNIF            (CPF:tpCPF|CNPJ:tpCNPJ|NIF:tpNIF|NaoNIF:tpNaoNIF)
ChaveNFe              InscricaoPrestador:tpInscricaoMunicipal NumeroNFe:tpNumero
                      CodigoVerificacao:tpCodigoVerificacao? ChaveNotaNacional:tpChaveNotaNacional?
ChaveRPS              InscricaoPrestador:tpInscricaoMunicipal SerieRPS:tpSerieRPS? NumeroRPS:tpNumero

RPS                   Assinatura:tpAssinatura ChaveRPS:ChaveRPS TipoRPS:tpTipoRPS DataEmissao:date
                      StatusRPS:tpStatusNFe TributacaoRPS:tpTributacaoNFe ValorDeducoes:tpValor ValorPIS:tpValor
                      ValorCOFINS:tpValor ValorINSS:tpValor ValorIR:tpValor ValorCSLL:tpValor
                      CodigoServico:tpCodigoServico AliquotaServicos:tpAliquota ISSRetido:boolean
                      CPFCNPJTomador:CPFCNPJNIF? InscricaoMunicipalTomador:tpInscricaoMunicipal?
                      InscricaoEstadualTomador:tpInscricaoEstadual? RazaoSocialTomador:tpRazaoSocial?
                      EnderecoTomador:Endereco? EmailTomador:tpEmail? CPFCNPJIntermediario:CPFCNPJ?
                      InscricaoMunicipalIntermediario:tpInscricaoMunicipal? ISSRetidoIntermediario:string?
                      EmailIntermediario:tpEmail? Discriminacao:tpDiscriminacao ValorCargaTributaria:tpValor?
                      PercentualCargaTributaria:tpPercentualCargaTributaria?
                      FonteCargaTributaria:tpFonteCargaTributaria? CodigoCEI:tpNumero? MatriculaObra:tpNumero?
                      MunicipioPrestacao:tpCidade? NumeroEncapsulamento:tpNumero? ValorTotalRecebido:tpValor?
                      RetencaoPisCofins:tpRetencaoPisCofins?
                      (ValorInicialCobrado:tpValor|ValorFinalCobrado:tpValor) ValorMulta:tpValor? ValorJuros:tpValor?
                      ValorIPI:tpValor ExigibilidadeSuspensa:tpNaoSim PagamentoParceladoAntecipado:tpNaoSim?
                      NCM:tpCodigoNCM? NBS:tpCodigoNBS atvEvento:atvEvento?
                      (cLocPrestacao:tpCidade|cPaisPrestacao:tpCodigoPaisISO) IBSCBS:IBSCBS
Endereco              TipoLogradouro:tpTipoLogradouro? Logradouro:tpLogradouro? NumeroEndereco:tpNumeroEndereco?
                      ComplementoEndereco:tpComplementoEndereco? Bairro:tpBairro? Cidade:tpCidade? UF:tpUF?
                      CEP:tpCEP? EnderecoExterior:EnderecoExterior?
EnderecoExterior      cPais:tpCodigoPaisISO cEndPost:tpCodigoEndPostal xCidade:tpNomeCidade
                      xEstProvReg:tpEstadoProvinciaRegiao
EnderecoNacional      cMun:tpCidade CEP:tpCEP
EnderecoIBSCBS        (endNac:EnderecoNacional|endExt:EnderecoExterior) xLgr:tpLogradouro nro:tpNumeroEndereco
                      xCpl:tpComplementoEndereco? xBairro:tpBairro
EnderecoSimples       (CEP:tpCEP|endExt:EnderecoExterior) xLgr:tpLogradouro nro:tpNumeroEndereco
                      xCpl:tpComplementoEndereco? xBairro:tpBairro
atvEvento             xNomeEvt:tpXNomeEvt dtIniEvt:date dtFimEvt:date end:EnderecoSimples
IBSCBS                finNFSe:tpFinNFSe indFinal:tpNaoSim cIndOp:tpCIndOp tpOper:tpOper? gRefNFSe:gRefNFSe?
                      tpEnteGov:tpEnteGov? indDest:tpIndDest dest:dest? valores:valores imovelobra:imovelobra?
gRefNFSe              refNFSe:tpChaveNotaNacional{99}
dest                  (CPF:tpCPF|CNPJ:tpCNPJ|NIF:tpNIF|NaoNIF:tpNaoNIF) xNome:tpRazaoSocialObrigatorio
                      end:EnderecoIBSCBS? email:tpEmail?
valores               gReeRepRes:gReeRepRes? trib:trib
gReeRepRes            documentos:documento{100}
documento             (dFeNacional:dFeNacional|docFiscalOutro:docFiscalOutro|docOutro:docOutro) fornec:fornec?
                      dtEmiDoc:date dtCompDoc:date tpReeRepRes:tpReeRepRes xTpReeRepRes:tpXTpReeRepRes?
                      vlrReeRepRes:tpValor
dFeNacional           tipoChaveDFe:tpTipoChaveDFE xTipoChaveDFe:tpXTipoChaveDFe? chaveDFe:tpChaveDFe
docFiscalOutro        cMunDocFiscal:tpCidade nDocFiscal:tpNumeroDescricaoDocumento
                      xDocFiscal:tpNumeroDescricaoDocumento
docOutro              nDoc:tpNumeroDescricaoDocumento xDoc:tpNumeroDescricaoDocumento
fornec                (CPF:tpCPF|CNPJ:tpCNPJ|NIF:tpNIF|NaoNIF:tpNaoNIF) xNome:tpRazaoSocialObrigatorio
trib                  gIBSCBS:gIBSCBS
gIBSCBS               cClassTrib:tpClassificacaoTributaria gTribRegular:gTribRegular?
gTribRegular          cClassTribReg:tpClassificacaoTributaria
imovelobra            inscImobFisc:tpInscImobFisc? (cCIB:tpCCIB|cObra:tpCObra|end:EnderecoSimples)

ds.Signature          SignedInfo:ds.SignedInfo SignatureValue:base64 KeyInfo:ds.KeyInfo
ds.SignedInfo         CanonicalizationMethod:empty SignatureMethod:empty Reference:ds.Reference{99}
ds.Reference          Transforms:ds.Transforms DigestMethod:empty DigestValue:base64
ds.Transforms         Transform:empty{99}
ds.KeyInfo            X509Data:ds.X509Data
ds.X509Data           X509Certificate:base64
`
