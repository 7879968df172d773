package sefin

// schemaTable holds the DPS and the event requests of an issuer as XSD 1.01
// orders them. Of the events those are listed that an issuer may ask for, and that of a replacement.
const schemaTable = `
DPS             infDPS:infDPS Signature:ds.Signature?
infDPS          tpAmb:TSTipoAmbiente dhEmi:TSDateTimeUTC verAplic:TSVerAplic serie:TSSerieDPS nDPS:TSNumDPS
                dCompet:TSData tpEmit:TSEmitenteDPS cMotivoEmisTI:TSMotivoEmisTI? chNFSeRej:TSChaveNFSe?
                cLocEmi:TSCodMunIBGE subst:subst? prest:prest toma:person? interm:person? serv:serv valores:valores
                IBSCBS:IBSCBS?
subst           chSubstda:TSChaveNFSe cMotivo:TSCodJustSubst xMotivo:TSMotivo?
prest           (CNPJ:TSCNPJ|CPF:TSCPF|NIF:TSNIF|cNaoNIF:TSCodNaoNIF) CAEPF:TSCAEPF? IM:TSInscMun?
                xNome:TSNomeRazaoSocial? end:end? fone:TSTelefone? email:TSEmail? regTrib:regTrib
regTrib         opSimpNac:TSOpSimpNac regApTribSN:TSRegimeApuracaoSimpNac? regEspTrib:TSRegEspTrib
person          (CNPJ:TSCNPJ|CPF:TSCPF|NIF:TSNIF|cNaoNIF:TSCodNaoNIF) CAEPF:TSCAEPF? IM:TSInscMun?
                xNome:TSNomeRazaoSocial end:end? fone:TSTelefone? email:TSEmail?
end             (endNac:endNac|endExt:endExt) xLgr:TSLogradouro nro:TSNumeroEndereco xCpl:TSComplementoEndereco?
                xBairro:TSBairro
endNac          cMun:TSCodMunIBGE CEP:TSCEP
endExt          cPais:TSCodPaisISO cEndPost:TSCodigoEndPostal xCidade:TSCidade xEstProvReg:TSEstadoProvRegiao
endExtSimple    cEndPost:TSCodigoEndPostal xCidade:TSCidade xEstProvReg:TSEstadoProvRegiao
endSimple       (CEP:TSCEP|endExt:endExtSimple) xLgr:TSLogradouro nro:TSNumeroEndereco xCpl:TSComplementoEndereco?
                xBairro:TSBairro
serv            locPrest:locPrest cServ:cServ comExt:comExt? obra:obra? atvEvento:atvEvento? infoCompl:infoCompl?
locPrest        (cLocPrestacao:TSCodMunIBGE|cPaisPrestacao:TSCodPaisISO)
cServ           cTribNac:TSCodTribNac cTribMun:TCCodTribMun? xDescServ:TSDesc2000 cNBS:TSCodNBS?
                cIntContrib:TSCodigoInternoContribuinte?
comExt          mdPrestacao:TSModoPrestacao vincPrest:TSVincPrest tpMoeda:TSCodMoeda vServMoeda:TSDec15V2
                mecAFComexP:TSMecAFComExPrest mecAFComexT:TSMecAFComExToma movTempBens:TSMovTempBens
                nDI:TSNumDocImport? nRE:TSNumRegExport? mdic:TSEnvMDIC
obra            inscImobFisc:TSInscImobFisc? (cObra:TSCodObra|cCIB:TSCodCIB|end:endSimple)
atvEvento       xNome:TSDesc255 dtIni:TSData dtFim:TSData (idAtvEvt:TSIdeEvento|end:endSimple)
infoCompl       idDocTec:TSDRT? docRef:TSDesc255? xPed:TSNumeroEndereco? gItemPed:gItemPed? xInfComp:TSDescInfCompl?
gItemPed        xItemPed:TSNumeroEndereco{99}
valores         vServPrest:vServPrest vDescCondIncond:vDescCondIncond? vDedRed:vDedRed? trib:trib
vServPrest      vReceb:TSDec15V2? vServ:TSDec15V2
vDescCondIncond vDescIncond:TSDec15V2? vDescCond:TSDec15V2?
vDedRed         (pDR:TSDec3V2|vDR:TSDec15V2|documentos:documentos)
documentos      docDedRed:docDedRed+
docDedRed       (chNFSe:TSChaveNFSe|chNFe:TSChaveNFe|NFSeMun:NFSeMun|NFNFS:NFNFS|nDocFisc:TSDesc255|nDoc:TSDesc255)
                tpDedRed:TSIdeDedRed xDescOutDed:TSDescOutDedRed? dtEmiDoc:date vDedutivelRedutivel:TSDec15V2
                vDeducaoReducao:TSDec15V2 fornec:person?
NFSeMun         cMunNFSeMun:TSCodMunIBGE nNFSeMun:TSNum15Dig cVerifNFSeMun:TSCodVerificacao
NFNFS           nNFS:TSNum7Dig modNFS:TSNum15Dig serieNFS:TSSerieNFNFS
trib            tribMun:tribMun tribFed:tribFed? totTrib:totTrib
tribMun         tribISSQN:TSTribISSQN cPaisResult:TSCodPaisISO? tpImunidade:TSTipoImunidadeISSQN? exigSusp:exigSusp?
                BM:BM? tpRetISSQN:TSTipoRetISSQN pAliq:TSDec1V2?
exigSusp        tpSusp:TSOpExigSuspensa nProcesso:TSNumProcExigSuspensa
BM              nBM:TSNumBeneficioMunicipal (vRedBCBM:TSDec15V2|pRedBCBM:TSDec3V2)?
tribFed         piscofins:piscofins? vRetCP:TSDec15V2? vRetIRRF:TSDec15V2? vRetCSLL:TSDec15V2?
piscofins       CST:TSTipoCST vBCPisCofins:TSDec15V2? pAliqPis:TSDec2V2? pAliqCofins:TSDec2V2? vPis:TSDec15V2?
                vCofins:TSDec15V2? tpRetPisCofins:TSTipoRetPISCofins?
totTrib         (vTotTrib:vTotTrib|pTotTrib:pTotTrib|indTotTrib:TSTipoIndTotTrib|pTotTribSN:TSDec2V2)
vTotTrib        vTotTribFed:TSDec15V2 vTotTribEst:TSDec15V2 vTotTribMun:TSDec15V2
pTotTrib        pTotTribFed:TSDec3V2 pTotTribEst:TSDec3V2 pTotTribMun:TSDec3V2
IBSCBS          finNFSe:TSRTCFinNFSe indFinal:TSRTCIndFinal? cIndOp:TSRTCCodIndOp tpOper:TSRTCTpOper?
                gRefNFSe:gRefNFSe? tpEnteGov:TSRTCTpEnteGov? indDest:TSRTCIndDest dest:dest? imovel:imovel?
                valores:valoresIBSCBS
gRefNFSe        refNFSe:TSChaveNFSe{99}
dest            (CNPJ:TSCNPJ|CPF:TSCPF|NIF:TSNIF|cNaoNIF:TSCodNaoNIF) xNome:TSDesc150 end:end? fone:TSTelefone?
                email:TSEmail?
imovel          inscImobFisc:TSInscImobFisc? (cCIB:TSCodCIB|end:endSimple)
valoresIBSCBS   gReeRepRes:gReeRepRes? trib:tribIBSCBS
gReeRepRes      documentos:documento+
documento       (dFeNacional:dFeNacional|docFiscalOutro:docFiscalOutro|docOutro:docOutro) fornec:fornec?
                dtEmiDoc:TSData dtCompDoc:TSData tpReeRepRes:TSRTCTpReeRepRes xTpReeRepRes:TSDesc150?
                vlrReeRepRes:TSDec15V2
dFeNacional     tipoChaveDFe:TSRTCTipoChaveDFe xTipoChaveDFe:TSDesc255? chaveDFe:TSRTCChaveDFe
docFiscalOutro  cMunDocFiscal:TSNum7Dig nDocFiscal:TSDesc255 xDocFiscal:TSDesc255
docOutro        nDoc:TSDesc255 xDoc:TSDesc255
fornec          (CNPJ:TSCNPJ|CPF:TSCPF|NIF:TSNIF|cNaoNIF:TSCodNaoNIF) xNome:TSDesc150
tribIBSCBS      gIBSCBS:gIBSCBS
gIBSCBS         CST:TSRTCCodSitTrib cClassTrib:TSRTCCodClassTrib cCredPres:TSRTCCodCredPres?
                gTribRegular:gTribRegular? gDif:gDif?
gTribRegular    CSTReg:TSRTCCodSitTrib cClassTribReg:TSRTCCodClassTrib
gDif            pDifUF:TSDec3V2 pDifMun:TSDec3V2 pDifCBS:TSDec3V2

pedRegEvento    infPedReg:infPedReg Signature:ds.Signature?
infPedReg       tpAmb:TSTipoAmbiente verAplic:TSVerAplic dhEvento:TSDateTimeUTC (CNPJAutor:TSCNPJ|CPFAutor:TSCPF)
                chNFSe:TSChaveNFSe (e101101:e101101|e105102:e105102|e101103:e101103)
e101101         xDesc:xDesc101101 cMotivo:TSCodJustCanc xMotivo:TSMotivo
e105102         xDesc:xDesc105102 cMotivo:TSCodJustSubst xMotivo:TSMotivo? chSubstituta:TSChaveNFSe
e101103         xDesc:xDesc101103 cMotivo:TSCodJustAnaliseFiscalCanc xMotivo:TSMotivo

ds.Signature    SignedInfo:ds.SignedInfo SignatureValue:base64 KeyInfo:ds.KeyInfo?
ds.SignedInfo   CanonicalizationMethod:empty SignatureMethod:empty Reference:ds.Reference+
ds.Reference    Transforms:ds.Transforms? DigestMethod:empty DigestValue:base64
ds.Transforms   Transform:empty+
ds.KeyInfo      X509Data:ds.X509Data
ds.X509Data     X509SubjectName:string? X509IssuerSerial:ds.X509IssuerSerial? X509Certificate:base64+
ds.X509IssuerSerial X509IssuerName:string X509SerialNumber:string
`
