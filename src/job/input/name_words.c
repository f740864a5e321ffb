/* Words in the names of columns, by what they mean; see column_names.h for how they are
 * written. German compounds and abbreviations are why most have a star. */
#include "column_names.h"

const char *const shoal_i_name_words[SHOAL_I_MEANINGS] = {
    [SHOAL_I_MEANS_SURVEY_WEIGHT] =
        "fnlwgt wgt wght pwgt* perwt hhwt pweight* weights sampl*+weight* survey+weight* "
        "final+weight* analysis+weight* design+weight* person+weight* calibration+weight* "
        "gewichtungs* *gewichtung designgewicht* hochrechnungs* weegfactor* weging* ophoog* "
        "ponder* coef+pond* poids+sondage poids+redress* poids+final factor+expansion "
        "factor+elevacion peso+muestral peso+campion* peso+finale coefficiente+riporto",

    [SHOAL_I_MEANS_CONTACT] =
        "email* *email e+mail mail *mail mailadres* courriel correo pec phone* *phone "
        "telephone* telefon* *telefon *telefono telefoon* *telefoon telnr tel mobile mobil "
        "mobilnr mobilfunk* mobiel* handy handynr cell cellphone cellular* cellulare celular "
        "movil fax* *fax url website homepage webseite twitter facebook instagram linkedin "
        "whatsapp ip ipaddress ipv mac+address username user+name login* *login "
        "benutzername nutzername nome+utente nombre+usuario gebruikersnaam contact+number "
        "contact+details emergency+contact rufnummer* portable+numero gsm pager",

    [SHOAL_I_MEANS_OFFICIAL] =
        "ssn iban bic bankverbindung bank+account account* kontonr kontonummer konto kto "
        "bankkonto compte+bancaire compte rib cuenta+bancaria cuenta conto+corrente conto "
        "rekening* passport* passeport* pasaporte* passaporto* paspoort* reisepass* *ausweis* "
        "licen?e+number licen?e+no driver*+licen?e driving+licen?e fuhrerschein* "
        "fuehrerschein* permis+conduire permiso+conducir patente+guida rijbewijs* nhs bsn "
        "burgerservicenummer sofinummer nir nirpp nss numero+insee num+insee dni nie nif curp "
        "rfc cuil cuit rut "
        "codice+fiscale codicefiscale codfisc cod+fisc* steuerid steuernummer steuernr "
        "steuer+id steuer+nr idnr identifikationsnummer numero+fiscal* num+fiscal* "
        "identifiant+fiscal tax+id taxid tax+number taxpayer* tin itin social+security "
        "securite+sociale num+secu* numsecu seguridad+social numero+afiliacion "
        "sozialversicherung* svnr svnummer sv+nr sv+nummer ahv* avs kvnr kvnummer "
        "krankenversichert* versicherten* versichertennr versicherungsnummer "
        "versicherungsnr versicherungs+nr vsnr rvnr numero+national registre+national niss "
        "insz rijksregister* rrn national+id nationalid national+insurance nino "
        "insurance+number insurance+no insurance+id insurance+nr policy+number policy+no "
        "police+nr policennummer numero+assure numero+poliza poliza polizza polisnummer "
        "card+number card+no card+nr cardnumber cardno kartennummer kartennr kreditkarte* "
        "credit+card numero+tarjeta tarjeta+sanitaria nuss sip cip tessera+sanitaria "
        "tessera numero+carte carte+vitale carte+bancaire kaartnummer pasnummer "
        "licen?e+plate number+plate numberplate kennzeichen* immatriculation targa kenteken "
        "vin imei imsi pps ppsn pesel sin+number medicare+number medicare+id medicaid+id "
        "health+card hicn mbi ehic mrn emrn",

    [SHOAL_I_MEANS_NAME] =
        "=first =last =middle firstname first+name fname lastname last+name lname surname* "
        "forename* "
        "middle+name fullname full+name maiden* nickname given+name family+name vorname* "
        "nachname* familienname* zuname geburtsname rufname prenom* nom+famille "
        "nom+naissance nom+usage nom+prenom nombre+apellido* apellido* primer+nombre cognome* "
        "nome+cognome voornaam* achternaam* geboortenaam familienaam tussenvoegsel voorletter* "
        "initialen mother*+name father*+name patient*+name name+patient* customer+name "
        "client+name person+name member+name employee+name nom+patient nom+client "
        "nombre+paciente nombre+cliente nome+paziente nome+cliente",

    [SHOAL_I_MEANS_ADDRESS] =
        "address address1 addr address+line home+address street* *street strasse* *strasse "
        "str hausnummer hausnr haus+nr house+number house+no anschrift* adresse* *adresse "
        "wohnadresse rue voie calle direccion* domicilio indirizzo* numero+civico civico adres "
        "*adres straat* *straat straatnaam huisnummer huisnr apartment+number apt",

    [SHOAL_I_MEANS_REMARK] =
        "comment* remark* note notes notiz* bemerkung* anmerkung* kommentar* freitext* "
        "*freitext freetext free+text observation* observacion* remarque* commentaire* nota "
        "notas osservazion* commento commenti annotazion* opmerking* toelichting* "
        "description* beschreibung* descripcion* descrizione beschrijving* anamnes* "
        "befundtext* "
        "verbatim narrative arztbrief* text texto testo texte tekst notities comentario* "
        "history+text letter",

    [SHOAL_I_MEANS_AGE] =
        "age ages agegroup agegrp ageband agecat alter altersgruppe* altersklasse* "
        "alterskategorie lebensalter patientenalter eintrittsalter edad edades eta leeftijd* "
        "lft anni+eta alt+jahre",

    [SHOAL_I_MEANS_DIAGNOSIS] =
        "diagnos* *diagnos* icd* diag dg dx *dx cim cie dsm drg ghm tnm tumor* tumeur* "
        "death* died deceased expire expired mortal* tod todes* gestorben verstorben deces "
        "decede fallec* muert* defunc* decess* morte overl* sterfte dead surviv* "
        "cause+death todesursache* cause+deces causa+muerte causa+morte doodsoorzaak",

    [SHOAL_I_MEANS_POSTAL] =
        "zip zipcode* zip+code postcode* *postcode post+code postal postal+code postalcode plz "
        "*plz plz* postleitzahl* code+postal codepostal cod+post* codpost* codigo+postal "
        "cp cap npa eircode pincode pin+code zip5 zip3 pc4 pc6",

    [SHOAL_I_MEANS_COUNTRY] =
        "country* *country pais paese pays land geburtsland herkunftsland wohnland "
        "herkunft nation nationality nationalit* nazionalita* nacionalidad* nationaliteit* "
        "natio staatsang* staatsb* citizen* ciudadania cittadinanza citoyennete "
        "geboorteland herkomst* landcode iso+country iso2 iso3",

    [SHOAL_I_MEANS_BODY] =
        "height* *height groesse grosse korpergrosse koerpergroesse taille talla altura "
        "altezza statura lengte lichaamslengte weight bodyweight gewicht korpergewicht* "
        "koerpergewicht* geburtsgewicht birthweight birth+weight poids peso haarfarbe "
        "augenfarbe hair+colo* eye+colo* shoe* wt ht lichaamsgewicht",

    [SHOAL_I_MEANS_PLACE] =
        "city cities town* place village* municip* commune comune comunidad gemeinde* "
        "*gemeinde gemeente* wohnort* ort geburtsort ortschaft ortsteil stadt* ville ciudad "
        "localidad localita localite lieu lugar luogo woonplaats geboorteplaats plaats "
        "plaatsnaam district* distrito distretto distrikt bezirk* *bezirk region* regio "
        "regione comarca provinc* departement departements departamento dept+code county* "
        "counties state bundesland bundeslander kanton* canton* landkreis kreis kreise "
        "wijk* buurt* barrio* quartier* borough* lsoa msoa puma fips nuts* tract area "
        "arrondissement parish residence* residenza residencia domicile wohngebiet "
        "birthplace insee urban rural metropol* stadtteil zone zona comunidad+autonoma asl "
        "colonia estado+residencia gkz ags lau neighbo*",

    [SHOAL_I_MEANS_POSITION] =
        "latitude *latitude longitude *longitude lat lon lng latitud longitud latitudine "
        "longitudine breitengrad langengrad laengengrad breedtegraad lengtegraad gps* coord* "
        "koordinat* geohash easting northing geo",

    [SHOAL_I_MEANS_BIRTH] =
        "birth* *birth born dob dobirth yob bday *birthday geburt* *geburt* geb gebdat* "
        "gebjahr jahrgang naissance* ddn daten nacimiento* fnac fecnac fec+nac fecha+nac "
        "nascita* datanascita dtnasc geboorte* geboren gebdatum nato nata natal*",

    [SHOAL_I_MEANS_SEX] =
        "sex sexe sexo sesso gender* genre genero genere geslacht* geschlecht* geschl gesl "
        "gndr male female sexcode mannlich weiblich",

    [SHOAL_I_MEANS_ORIGIN] =
        "race races ethnic* *ethnic ethnie* etnia* etnic* etnische rasse raza razza hautfarbe "
        "skin tribe caste *migrationshintergrund migrat* migrant hispan* indigen* indigenous "
        "aborigin* ancestry latino",

    [SHOAL_I_MEANS_MARITAL] =
        "marital* marst marriage* married civil+status civilstatus familienstand* zivilstand* "
        "famst etat+civil situation+familial* situation+matrimonial* statut+matrimonial "
        "estado+civil *civil stato+civile statocivile burgerlijke+staat burgst burgstaat "
        "huwelijk* matrimonial* relationship partner* spouse* ehestand conyuge coniuge "
        "conjoint cohabit*",

    [SHOAL_I_MEANS_FAMILY] =
        "household+size household+type household hhsize haushalt* hh menage foyer hogar "
        "famiglia family familia famille famsize familiengr* *enfants enfants enfant hijos "
        "hijo figli figlio *kinder kinder* kinderzahl kinderen child* nchild* dependents "
        "dependants nucleo+familiare componenti gezin* huishoud* huishouden sibling* "
        "geschwister* personas+hogar persons personnes personas parity mother* father* mutter "
        "vater mere pere madre padre moeder vader",

    [SHOAL_I_MEANS_HOUSING] =
        "housing home+own* homeown* ownership tenure vivienda logement abitazione alloggio "
        "wohnung* wohnform wohnsituation wohneigentum woning* woonsituatie rooms zimmer "
        "dwelling* wohn* surface superficie car cars vehicle* auto autos fahrzeug* voiture* "
        "coche* automobil* accommodation "
        "habitat tipo+vivienda",

    [SHOAL_I_MEANS_MONEY] =
        "income* *income *incm inctot einkommen* *einkommen einkunfte einkuenfte gehalt* "
        "*gehalt "
        "lohn* *lohn *loehne *entgelt hour*+rate daily+rate month*+rate pay+rate salary "
        "salaries salar* wage wages earning* pay paid "
        "payment* payroll revenu revenus ingreso ingresos renta reddito* redditi inkomen* "
        "*inkomen salaire* salario* sueldo* stipendio* retribuzione loon* salaris* cost costs "
        "*cost kosten *kosten kostensatz costo costi coste costes cout couts charges "
        "total+charge copay* copag* price* "
        "prix prezzo precio preis* prijs expens* expenditure* ausgaben depense* gasto* spesa* "
        "spese uitgaven debt* schuld* dette* deuda* debito debiti loan* kredit* credit* "
        "credito pret prets prestito* prestamo* lening* mortgage* hypothek* ipoteca hipoteca "
        "hypotheek balance saldo solde* tax taxes impot* impuesto* imposta imposte irpef "
        "belasting* pension* rente* retraite wealth vermogen* vermoegen* patrimoine "
        "patrimonio asset* capital fare* fee fees premium* pramie* praemie* beitrag* prime "
        "amount* betrag* montant* importe importo bedrag* turnover umsatz* welfare benefit* "
        "subsid* sozialhilfe* sozialleistung* burgergeld* default* spend* spent rent miete "
        "mieten "
        "mietzins mietpreis *miete mietschuld* mietruck* allocation* allowance* leefloon* "
        "loyer alquiler affitto huur* invoice* rechnung* gain* isee budget transaction* "
        "kaufkraft insolv* bankrupt*",

    [SHOAL_I_MEANS_OPINION] =
        "religi* relig konfession* confession* glaube* kirche* croyance* culte geloof* "
        "godsdienst* levensbeschouwing polit* partei* parti partito partido partij* "
        "vote voted votes voting voto wahl* stemgedrag stemkeuze stemming union unions "
        "tradeunion gewerkschaft* syndicat* syndical* sindica* vakbond* opinion* meinung* "
        "ideolog* belief* faith* creencia orientation+sex* sexual* orientamento* "
        "orientacion+sex* weltanschauung*",

    [SHOAL_I_MEANS_INSTITUTION] =
        "ward wards station stationen hospital* klinik* *klinik clinic clinics clinica "
        "hopital ospedale ziekenhuis* krankenhaus* abteilung* fachabteilung afdeling* reparto "
        "servicio servizio service services unite unita unidad department dept dipartimento "
        "facility provider* center centre zentrum centro praxis practice doctor* physician* "
        "arzt arzte aerzte hausarzt* *arzt medecin* medico medica medici huisarts* "
        "specialist* gp clinician* consultant* surgeon* insurer* insurance versicherung* "
        "krankenkasse* kasse kostentrager kostentraeger mutuelle assurance assureur "
        "aseguradora assicurazione verzekeraar* verzekering payer payor carrier plan class "
        "klasse* classe clase klas team unit office branch store filiale site dienst teacher "
        "lehrer* company firma employer* arbeitgeber* employeur* empleador* empresa azienda "
        "werkgever* bedrijf ecole scuola presidio specialty fachrichtung",

    [SHOAL_I_MEANS_EDUCATION] =
        "education* educ* school* schule schulen schulart schulform schultyp schulabschl* "
        "schulbild* schulname schuljahr schulstufe *schule bildung* *bildung schulabschluss "
        "ausbildung* abschluss* degree diploma* diplome* etudes etude estudios escolaridad "
        "istruzione titolo+studio niveau+etude* nivel+estudio* nivel+educ* niveau+scol* "
        "opleiding* onderwijs* scolar* isced qualification* qualifikation* universit* "
        "hochschul* formation grado+instruccion studie literacy student*+level",

    [SHOAL_I_MEANS_LANGUAGE] =
        "language* *language langue* lengua* idioma* lingua* sprache* *sprache taal* *taal "
        "mother+tongue",

    [SHOAL_I_MEANS_HEALTH] =
        "disease* illness* complaint* triage acuity vitalstatus vital+sign* problem* "
        "comorbid* condition conditions krankheit* *krankheit* erkrank* *erkrankung "
        "maladie* enfermedad* malattia* malattie patologi* pathologi* affection* "
        "aandoening* ziekte* symptom* sintom* beschwerden klachten hiv* aids cancer* krebs* "
        "cancro kanker* carcinom* stage stadium stadi* estadi* stade pression* presion* "
        "treatment* therap* *therapie tratamiento* traitement* trattament* behandl* behandel* "
        "medication* medicine* medicament* medikament* medikation medicatie* farmac* farma* "
        "medicijn* principio+activo principe+actif wirkstoff* substance* drug drugs *drug "
        "prescription* rezept* receta* ricetta* ordonnance* dose "
        "dosis surgery surgical operation* operatie ops procedure* eingriff* intervent* "
        "cirugia chirurgia blood* blut* sang sangre sangue bloed* bloodtype bp sbp dbp systol* "
        "diastol* sistol* pulse puls heart* hr chol* *chol colest* hdl ldl trigly* glucose* "
        "glukose* gluc* glicemia glyc* hba hbac creatinin* kreatinin* creatinina hemoglobin* "
        "hamoglobin* haemoglobin* hemoglobina emoglobina hb crp leuko* leuco* wbc rbc "
        "platelet* "
        "egfr urea bmi imc lab labs laborwert* laboratory smok* raucher* rauchen rauch* tabac* "
        "tabaco fumator* fumad* fumeur* fumo roken rook* roker alcohol* alkohol* alcool* "
        "disab* "
        "behinder* invalid* handicap* discapac* disabil* pflegegrad pflege* health gesund* "
        "sante "
        "salud salute gezond* krank* kranken* mental* depress* pregnan* schwanger* grossesse "
        "embaraz* gravid* zwanger* allerg* vaccin* impf* vacuna* infect* infekt* infez* covid* "
        "beatm* ventilat* supervivencia uberleb* ueberleb* sopravviv* survie vital+status los "
        "length+stay lengthofstay *stay "
        "verweildauer liegedauer durata+degenza degenza duree+sejour sejour estancia ligduur "
        "apgar diabet* hypertens* hipertens* ipertens* asthma* sick* krankheitstage "
        "krankentage "
        "fehltage absence* ziekteverzuim jours+maladie genotype* genetic* mutation* allele* "
        "snp "
        "stroke angina ecg mri injury injuries biops* metasta* relapse remission viral* cd "
        "temperature fever spo oxygen pain schmerz* dolor douleur dolore pijn frailty "
        "care+level",

    [SHOAL_I_MEANS_OCCUPATION] =
        "occupation* occup* job jobs jobtitle job+title profession* beruf* *beruf tatigkeit* "
        "taetigkeit* metier emploi* empleo* fonction funktion funcion csp pcs ocu ocupacion "
        "oficio puesto cargo professione lavoro mestiere occupazione mansione qualifica "
        "beroep* "
        "functie isco* employment* empstat employ* unemploy* work worker* workclass work+class "
        "working arbeit* erwerb* activite actividad attivita werk* werkzaam industry "
        "branche* sector* sektor settore economic* position stellung stelle hours+week "
        "hours+work* hoursperweek arbeitszeit wochenstunden heures+semaine horas+semana* "
        "ore+settimana* uren+week soc nace naics seniority rank dienstgrad grade laboral*",

    [SHOAL_I_MEANS_OFFENCE] =
        "crime* criminal* offence* offense* offender* convict* arrest* straf* delit delits "
        "delito* reato reati delict* misdrijf prison* sentence* victim* vorstrafe* felony "
        "recidiv* infraction* condanna* condena*",

    [SHOAL_I_MEANS_RESULT] =
        "result* ergebnis* befund* outcome* resultat* resultad* risultat* esito* esiti "
        "uitslag* "
        "uitkomst* score* *score punkte punktzahl puntaje puntuacion punteggio note noten "
        "*note "
        "cijfer* mark marks zensur* rating* bewertung* performance* evaluat* evaluac* "
        "valutazion* beurteil* exam exams prufung* pruefung* examen* esame test tests satisf* "
        "zufried* tevreden* iq target label forderbedarf* foerderbedarf* forder* foerder* "
        "special+need* purpose zweck motif motivo reden reason grund *grund cause* ursache* "
        "causa* "
        "attitud* churn attrition response* answer* antwort* risk status+final gpa calificac* "
        "notenschnitt",

    [SHOAL_I_MEANS_DATE] =
        "date dates *date datum* *datum fecha* data dt *dt day days tag month* monat* mois mes "
        "mese maand year years jahr *jahr annee* ano anno jaar jaartal time timestamp *time "
        "zeit* *zeit *zeitpunkt hora heure uhrzeit admission* admit* discharge* aufnahme* "
        "entlass* entree sortie ingreso alta ricovero dimissione opname* ontslag* visit* "
        "besuch* visita visite consult* termin quarter semester",

    [SHOAL_I_MEANS_CALLED] =
        "name names *name nom noms nombre nombres nome nomi naam *naam bezeichnung "
        "denominazione denominacion raison+sociale",

    [SHOAL_I_MEANS_ID] =
        "id ids uid uuid guid pid patid patnr subjid usubjid custid caseid recordid studyid "
        "userid personid empid kennung kennnummer kennziffer identifier* identifiant* "
        "identificador* identificativ* identificatie* key pk matricule* matricola* matrikel* "
        "legajo expediente* dossier* fallnummer fall+nr aktenzeichen barcode ident idpatient "
        "idpaciente idpaziente codpaciente codice+paziente codigo+paciente code+patient "
        "code+client codice+cliente codigo+cliente historia+clinica nhc ipp cartella+clinica",

    [SHOAL_I_MEANS_NUMBER] =
        "nr *nr no num number nummer* *nummer numero n lfd laufende seq sequence",

    [SHOAL_I_MEANS_TECHNICAL] =
        "version* batch* source sources quelle* wave welle onda ronde survey+year erhebung* "
        "import* export* filename dataset loaded questionnaire fragebogen* formulier "
        "release checksum hash",

    [SHOAL_I_MEANS_PERSON] =
        "patient* paziente* paciente* pazient* pat client* klient* kunde* kunden* customer* "
        "cliente* klant* person persona personne member* mitglied* membre* miembro* socio lid "
        "employee* staff* mitarbeiter* personal employe empleado* dipendente* medewerker* "
        "subject* proband* teilnehmer* participant* respondent* student* schuler* schueler* "
        "eleve* alumno* alunno* studente* leerling* resident* bewohner* insured* versicherter "
        "assure* asegurado* assicurato* verzekerde* user* nutzer* benutzer* usuario* utente* "
        "gebruiker* card cardholder* karteninhaber individual* individu* einwohner* "
        "mieter* tenant* locataire* inquilin* huurder* borrower* donor* spender* case* "
        "beneficiar* deelnemer* inwoner* assistito",
};
