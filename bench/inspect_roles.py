#!/usr/bin/env python3
"""How often `shoal inspect` is right: invented tables of different countries, with the truth beside them.

    inspect_roles.py --program PATH/TO/shoal [--other PATH/TO/ANOTHER] [--set known|unseen|published] [--misses] [--write FOLDER]
                     [--least PER_CENT]

Every table is a file as people have it: its language, its delimiter, its dates and decimals, its identifiers with their
check digits. The truth is a role and a type per column, by the rules of docs/inspect.md. The program gets the file and,
where it is not UTF-8, its encoding. Printed are the shares of right roles and of right types, of one program or of two.
The sets `unseen` and `published` were written after the words and rules were, and counted once before anything was changed
for them; `published` has the names of columns of public data.
"""

import argparse
import json
import random
import subprocess
import sys
import tempfile
from pathlib import Path

# --- Values. --------------------------------------------------------------------------------------------------------

GIVEN = {
    "en": "Olivia Noah Emma Liam Amelia James Sophia Oliver Grace Henry Ruby Jack Alice Leo Ella Arthur".split(),
    "de": "Jürgen Käthe Anna Lukas Sophie Jörg Marie Felix Lena Günther Paul Heike Jonas Grete Uwe Mia".split(),
    "fr": "Élodie Jean Chloé Luc Zoé René Camille Hugo Inès André Manon Benoît Léa Noël Anaïs Guy".split(),
    "es": "José María Lucía Ángel Inés Jesús Carmen Raúl Sofía Andrés Elena Iván Pilar Óscar Nuria Luis".split(),
    "it": "Giulia Luca Niccolò Chiara Matteo Sofia Andrea Giorgia Marco Elena Paolo Sara Pietro Irene Ugo Rita".split(),
    "nl": "Daan Sanne Sem Fleur Bram Lotte Jesse Anouk Thijs Femke Ruben Iris Koen Maud Joris Noor".split(),
}
FAMILY = {
    "en": "Smith Jones Taylor Brown Williams Wilson Johnson Davies Patel Wright Walker White Edwards Green Hall Wood".split(),
    "de": "Müller Schmidt Schneider Fischer Weber Meyer Wagner Becker Schäfer Koch Bauer Richter Groß Wolf Krüger Voß".split(),
    "fr": "Martin Bernard Dubois Thomas Robert Petit Durand Leroy Moreau Lefèvre Girard Mercier Gauthier Perrin".split(),
    "es": "García Rodríguez González Fernández López Martínez Sánchez Pérez Gómez Martín Jiménez Ruiz Muñoz".split(),
    "it": "Rossi Russo Ferrari Esposito Bianchi Romano Colombo Ricci Marino Greco Bruno Gallo Conti Costa Fontana".split(),
    "nl": "Jong Jansen Vries Berg Bakker Dijk Visser Smit Meijer Boer Mulder Bos Vos Peters Hendriks Dekker".split(),
}
STREETS = {
    "en": "High Street|Church Lane|Station Road|Park Avenue|Mill Lane|Queens Road|Elm Street|Oak Drive".split("|"),
    "de": "Hauptstraße|Bahnhofstr.|Gartenweg|Schillerplatz|Lindenallee|Am Markt|Kirchgasse".split("|"),
    "fr": "rue de la Paix|avenue Victor Hugo|place du Marché|chemin des Vignes|boulevard Gambetta".split("|"),
    "es": "Calle Mayor|Avenida de la Constitución|Plaza Nueva|Calle Sol|Paseo del Prado".split("|"),
    "it": "Via Roma|Corso Italia|Piazza Garibaldi|Via Dante|Viale Europa".split("|"),
    "nl": "Dorpsstraat|Kerkweg|Molenlaan|Stationsplein|Hoofdweg".split("|"),
}
TOWNS = {
    "en": "Leeds Bristol York Bath Derby Exeter Durham Lincoln Oxford Cambridge".split(),
    "us": "Madison Springfield Portland Salem Austin Dover Albany Boise Denver Trenton".split(),
    "de": "Köln München Jena Bonn Ulm Hof Kiel Mainz Trier Würzburg".split(),
    "fr": "Lyon Nîmes Besançon Lille Nancy Orléans Brest Dijon Metz Tours".split(),
    "es": "Sevilla Málaga Cádiz León Bilbao Vigo Gijón Murcia Ávila Toledo".split(),
    "it": "Torino Bologna Lecce Pisa Trento Forlì Bari Genova Como Udine".split(),
    "nl": "Utrecht Leiden Delft Breda Zwolle Arnhem Almere Gouda Tilburg Assen".split(),
}
ICD = "I10 E11.9 J45.0 K35.8 C50.9 M54.5 F32.1 N39.0 S72.0 I25.1 J18.9 E66.0 G43.1 B20 Z38.0 A09".split()
WORDS = {
    "en": "patient complains of severe pain since Monday walked home after the visit and will call again next week family informed".split(),
    "de": "Patient klagt über starke Schmerzen seit Montag nach dem Besuch zu Hause wurde erneut angerufen Angehörige informiert".split(),
    "fr": "le patient se plaint de douleurs depuis lundi il est rentré chez lui et la famille a été informée du suivi prévu".split(),
    "es": "el paciente refiere dolor intenso desde el lunes volvió a casa y la familia fue informada de la próxima visita".split(),
    "it": "il paziente lamenta dolore da lunedì è tornato a casa e la famiglia è stata informata della prossima visita".split(),
    "nl": "patiënt klaagt over pijn sinds maandag is naar huis gegaan en familie is op de hoogte gebracht van de afspraak".split(),
}


def digits(rng, count):
    return "".join(rng.choice("0123456789") for _ in range(count))


def name(lang, which="both"):
    def make(rng):
        first, last = rng.choice(GIVEN[lang]), rng.choice(FAMILY[lang])
        middle = rng.choice("ABCDEFGHJKLMPRSTW")
        return {"first": first, "last": last, "both": f"{first} {middle}. {last}", "comma": f"{last}, {first}"}[which]

    return make


def street(lang):
    return lambda rng: (
        f"{rng.randint(1, 180)} {rng.choice(STREETS[lang])}" if lang in ("en", "fr") else f"{rng.choice(STREETS[lang])} {rng.randint(1, 180)}")


def town(lang):
    return lambda rng: rng.choices(TOWNS[lang], range(10, 0, -1))[0]


def email(lang):
    def make(rng):
        plain = "".join(c for c in rng.choice(FAMILY[lang]).lower() if c.isascii())
        return f"{plain}{rng.randint(1, 9999)}@{rng.choice(['example.org', 'mail.example.com', 'example.net'])}"

    return make


def phone(form):
    return lambda rng: "".join(str(rng.randint(2, 9)) if c == "N" else rng.choice("0123456789") if c == "9" else c for c in form)


def free_text(lang):
    return lambda rng: " ".join(rng.choices(WORDS[lang], k=rng.randint(7, 22))).capitalize() + "."


def pick(*values, weights=None):
    return lambda rng: rng.choices(values, weights)[0]


def whole(low, high):
    return lambda rng: rng.randint(low, high)


def bell(mean, spread, low, high):
    return lambda rng: int(min(high, max(low, rng.gauss(mean, spread))))


def real(mean, spread, places=1):
    return lambda rng: ("real", abs(rng.gauss(mean, spread)), places)


def money(mean, places=2):
    return lambda rng: ("real", rng.lognormvariate(0, 0.5) * mean, places)


def day(first, last):
    import datetime

    start = datetime.date(first, 1, 1).toordinal()
    end = datetime.date(last, 12, 28).toordinal()
    return lambda rng: ("date", datetime.date.fromordinal(rng.randint(start, end)))


def code(form):
    """X is a letter, 9 a digit."""
    return lambda rng: "".join(rng.choice("ABCDEFGHJKLMNPRSTUVWXYZ") if c == "X" else rng.choice("0123456789") if c == "9" else c
                               for c in form)


def counter(start=1):
    at = [start - 1]

    def make(rng):
        at[0] += 1
        return at[0]

    return make


def ssn(rng):
    return f"{rng.randint(1, 665):03d}-{rng.randint(1, 99):02d}-{rng.randint(1, 9999):04d}"


def nhs(rng):
    while True:
        body = digits(rng, 9)
        check = 11 - sum(int(d) * w for d, w in zip(body, range(10, 1, -1))) % 11
        if check != 10:
            text = body + str(check % 11)
            return f"{text[:3]} {text[3:6]} {text[6:]}"


def kvnr(rng):
    letter, body = rng.choice("ABCDEFGHIJKLMNOPQRSTUVWXYZ"), digits(rng, 8)
    total = 0
    for i, d in enumerate(f"{ord(letter) - 64:02d}" + body):
        product = int(d) * (1 + i % 2)
        total += product // 10 + product % 10
    return letter + body + str(total % 10)


def steuer_id(rng):
    while True:
        chosen = rng.sample("0123456789", 9)
        body = chosen + [rng.choice(chosen)]
        rng.shuffle(body)
        if body[0] != "0":
            break
    product = 10
    for d in body:
        total = (int(d) + product) % 10 or 10
        product = total * 2 % 11
    return "".join(body) + str((11 - product) % 10)


def nir(rng):
    body = f"{rng.randint(1, 2)}{rng.randint(30, 99)}{rng.randint(1, 12):02d}{rng.randint(1, 95):02d}{rng.randint(1, 990):03d}{rng.randint(1, 999):03d}"
    return f"{body}{97 - int(body) % 97:02d}"


ODD = dict(zip("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ",
               [1, 0, 5, 7, 9, 13, 15, 17, 19, 21, 1, 0, 5, 7, 9, 13, 15, 17, 19, 21, 2, 4, 18, 20, 11, 3, 6, 8, 12, 14, 16, 10, 22, 25, 24, 23]))


def codice_fiscale(rng):
    letters = "".join(rng.choice("BCDFGLMNPRSTVZ") for _ in range(6))
    born = rng.randint(1, 28) + rng.choice([0, 40])
    body = f"{letters}{digits(rng, 2)}{rng.choice('ABCDEHLMPRST')}{born:02d}{rng.choice('ABCDEFGHIL')}{digits(rng, 3)}"
    total = sum(ODD[c] if i % 2 == 0 else (int(c) if c.isdigit() else ord(c) - 65) for i, c in enumerate(body))
    return body + chr(65 + total % 26)


def dni(rng):
    number = rng.randint(10_000_000, 79_999_999)
    if rng.random() < 0.15:
        lead = rng.randint(0, 2)
        number = rng.randint(0, 9_999_999)
        return f"{'XYZ'[lead]}{number:07d}" + "TRWAGMYFPDXBNJZSQVHLCKE"[(lead * 10_000_000 + number) % 23]
    return f"{number:08d}" + "TRWAGMYFPDXBNJZSQVHLCKE"[number % 23]


def bsn(rng):
    while True:
        body = digits(rng, 8)
        check = sum(int(d) * w for d, w in zip(body, range(9, 1, -1))) % 11
        if check < 10 and body[0] != "0":
            return body + str(check)


def ean_check(body):
    return (10 - sum(int(d) * (1 + 2 * (i % 2)) for i, d in enumerate(body)) % 10) % 10


def ahv(rng):
    body = "756" + digits(rng, 9)
    text = body + str(ean_check(body))
    return f"{text[:3]}.{text[3:7]}.{text[7:11]}.{text[11:]}"


def svnr(rng):
    while True:
        serial = f"{rng.randint(100, 999)}"
        born = f"{rng.randint(1, 28):02d}{rng.randint(1, 12):02d}{rng.randint(0, 99):02d}"
        check = sum(int(d) * w for d, w in zip(serial + born, (3, 7, 9, 5, 8, 4, 2, 1, 6))) % 11
        if check < 10:
            return f"{serial}{check} {born}"


def rijksregister(rng):
    body = f"{rng.randint(30, 99):02d}{rng.randint(1, 12):02d}{rng.randint(1, 28):02d}{rng.randint(1, 997):03d}"
    check = 97 - int(body) % 97
    return f"{body[:2]}.{body[2:4]}.{body[4:6]}-{body[6:]}.{check:02d}"


def iban(country, length):
    def make(rng):
        body = digits(rng, length - 4)
        number = int(body + "".join(str(ord(c) - 55) for c in country) + "00")
        return f"{country}{98 - number % 97:02d}{body}"

    return make


def ip(rng):
    return ".".join(str(rng.randint(1, 254)) for _ in range(4))


def sometimes(make, share, words):
    """Some values are missing, written in one of several words."""
    return lambda rng: rng.choice(words) if rng.random() < share else make(rng)


# --- Tables. --------------------------------------------------------------------------------------------------------

I, P, Q, S, N = "identifier", "person", "quasi", "sensitive", "insensitive"
TEXT, INT, REAL, DATE = "string", "integer", "real", "date"


class Table:
    """Columns are (name, role, type, maker) or, of the person and not of the record, (..., maker, True)."""

    def __init__(self, title, columns, rows=600, repeats=1, delimiter=",", encoding="utf-8", date="%Y-%m-%d", decimal=".", thousands=""):
        self.title, self.columns, self.rows, self.repeats = title, columns, rows, repeats
        self.delimiter, self.encoding, self.date, self.decimal, self.thousands = delimiter, encoding, date, decimal, thousands

    def text(self, value):
        if isinstance(value, tuple) and value[0] == "date":
            return value[1].strftime(self.date)
        if isinstance(value, tuple):
            text = f"{value[1]:{',' if self.thousands else ''}.{value[2]}f}"
            return text.translate(str.maketrans({",": self.thousands, ".": self.decimal}))
        return str(value)

    def lines(self, seed):
        rng = random.Random(f"{self.title} {seed}")
        people = []
        for _ in range(self.rows // self.repeats):
            people.append([column[3](rng) if len(column) > 4 else None for column in self.columns])
        yield [column[0] for column in self.columns]
        for row in range(self.rows):
            person = people[row] if row < len(people) else rng.choice(people)
            yield [self.text(person[i] if len(column) > 4 else column[3](rng)) for i, column in enumerate(self.columns)]

    def write(self, path, seed=1):
        def quote(cell):
            return '"' + cell.replace('"', '""') + '"' if self.delimiter in cell or '"' in cell else cell

        with open(path, "w", encoding=self.encoding, newline="") as file:
            for line in self.lines(seed):
                file.write(self.delimiter.join(map(quote, line)) + "\n")

    def options(self):
        return ["--encoding", {"latin-1": "latin1", "cp1252": "windows-1252"}[self.encoding]] if self.encoding != "utf-8" else []


KNOWN = [
    Table("US hospital", [
        ("MRN", P, TEXT, code("M999999"), True), ("first_name", I, TEXT, name("en", "first"), True), ("last_name", I, TEXT, name("en", "last"), True),
        ("SSN", I, TEXT, ssn, True), ("dob", Q, DATE, day(1930, 2015), True), ("zip", Q, TEXT, code("537X9".replace("X", "9")), True),
        ("gender", Q, TEXT, pick("F", "M"), True), ("race", Q, TEXT, pick("White", "Black", "Asian", "Other", weights=[6, 2, 1, 1]), True),
        ("admission_date", Q, DATE, day(2023, 2024)), ("dx_code", S, TEXT, pick(*ICD)), ("los_days", S, INT, bell(4, 3, 1, 30)),
        ("total_charges", S, REAL, money(8000)), ("payer", Q, TEXT, pick("Medicare", "Medicaid", "Private", "Self"), True),
    ], repeats=3, date="%m/%d/%Y"),
    Table("US loans", [
        ("loan_id", I, INT, counter(100200)), ("borrower_email", I, TEXT, email("en")), ("state", Q, TEXT, pick("WI", "IL", "MN", "IA", "MI")),
        ("annual_income", S, INT, lambda r: int(r.lognormvariate(11, 0.4))), ("credit_score", S, INT, bell(690, 60, 400, 850)),
        ("homeOwnership", Q, TEXT, pick("RENT", "OWN", "MORTGAGE")), ("employmentLength", Q, INT, whole(0, 40)),
        ("loan_amount", S, INT, lambda r: 500 * r.randint(2, 80)), ("defaulted", S, TEXT, pick("no", "yes", weights=[9, 1])),
        ("ip_address", I, TEXT, ip), ("job_title", Q, TEXT, pick("teacher", "nurse", "driver", "clerk", "engineer", "manager")),
    ]),
    Table("UK general practice", [
        ("NHS Number", P, TEXT, nhs, True), ("Surname", I, TEXT, name("en", "last"), True), ("Date of Birth", Q, DATE, day(1935, 2018), True),
        ("Postcode", Q, TEXT, code("LS9 9XX"), True), ("Sex", Q, TEXT, pick("Female", "Male"), True),
        ("Ethnic Group", Q, TEXT, pick("White", "Asian", "Black", "Mixed", weights=[8, 2, 1, 1]), True), ("Smoking Status", S, TEXT, pick("never", "ex", "current"), True),
        ("BMI", S, REAL, real(27, 4)), ("Systolic BP", S, INT, bell(128, 15, 80, 210)), ("Medication", S, TEXT, pick("statin", "none", "metformin", "ramipril")),
        ("Consultation Notes", I, TEXT, free_text("en")), ("Registered GP", Q, TEXT, pick("Dr A", "Dr B", "Dr C")),
    ], repeats=2, date="%d/%m/%Y"),
    Table("German hospital", [
        ("Patienten-Nr", P, INT, whole(100000, 999999), True), ("Nachname", I, TEXT, name("de", "last"), True), ("Vorname", I, TEXT, name("de", "first"), True),
        ("Geburtsdatum", Q, DATE, day(1930, 2012), True), ("Geschlecht", Q, TEXT, pick("m", "w", "d", weights=[49, 50, 1]), True),
        ("PLZ", Q, TEXT, code("9999X".replace("X", "7")), True), ("Aufnahmedatum", Q, DATE, day(2023, 2024)), ("Hauptdiagnose", S, TEXT, pick(*ICD)),
        ("Kreatinin", S, REAL, real(1.1, 0.3, 2)), ("Station", Q, TEXT, pick("A1", "A2", "B1", "C3")), ("Kosten", S, REAL, money(3000)),
        ("Bemerkung", I, TEXT, free_text("de")),
    ], repeats=2, delimiter=";", encoding="latin-1", date="%d.%m.%Y", decimal=",", thousands="."),
    Table("German insurer", [
        ("KVNR", I, TEXT, kvnr), ("Alter", Q, INT, bell(45, 18, 0, 99)), ("Familienstand", Q, TEXT, pick("ledig", "verheiratet", "geschieden", "verwitwet")),
        ("Staatsangehörigkeit", Q, TEXT, pick("deutsch", "türkisch", "polnisch", "andere", weights=[8, 1, 1, 1])), ("Beruf", Q, TEXT, pick("Lehrer", "Koch", "Maurer", "Arzt", "Pfleger")),
        ("Bundesland", Q, TEXT, pick("NRW", "BY", "BW", "HE", "SN")), ("Jahreseinkommen", S, INT, lambda r: int(r.lognormvariate(10.5, 0.4))),
        ("Beitragssatz", S, REAL, pick(("real", 14.6, 1), ("real", 15.2, 1), ("real", 15.9, 1))), ("Kontonummer", I, TEXT, iban("DE", 22)),
        ("Pflegegrad", S, INT, pick(0, 1, 2, 3, 4, 5, weights=[20, 2, 3, 2, 1, 1])), ("Email", I, TEXT, email("de")),
    ], delimiter=";", decimal=","),
    Table("Austrian school", [
        ("Schüler_ID", I, INT, counter(5001)), ("Name", I, TEXT, name("de")), ("SVNR", I, TEXT, svnr), ("Klasse", Q, TEXT, pick("1A", "1B", "2A", "2B", "3A")),
        ("Geb.datum", Q, DATE, day(2006, 2012)), ("Muttersprache", Q, TEXT, pick("Deutsch", "Türkisch", "Serbisch", "Ungarisch", weights=[8, 2, 1, 1])),
        ("Religion", S, TEXT, pick("rk", "ev", "islam", "o.B.")), ("Note Mathematik", S, INT, whole(1, 5)), ("Wohnort", Q, TEXT, town("de")),
        ("Förderbedarf", S, TEXT, pick("nein", "ja", weights=[9, 1])), ("Fehltage", S, INT, bell(6, 5, 0, 60)),
    ], delimiter=";", encoding="cp1252", date="%d.%m.%Y"),
    Table("Swiss survey", [
        ("AHV-Nr", I, TEXT, ahv), ("Kanton", Q, TEXT, pick("ZH", "BE", "VD", "GE", "TI", "SG")), ("Jahrgang", Q, INT, whole(1935, 2005)),
        ("Zivilstand", Q, TEXT, pick("ledig", "verheiratet", "geschieden")), ("Bildung", Q, TEXT, pick("Primar", "Lehre", "Matura", "Uni")),
        ("Haushaltsgrösse", Q, INT, whole(1, 6)), ("Bruttolohn", S, REAL, money(6500)), ("Parteipräferenz", S, TEXT, pick("SP", "SVP", "FDP", "Grüne", "Mitte")),
        ("Gewichtungsfaktor", N, REAL, real(1, 0.2, 4)), ("Erhebungsjahr", N, INT, pick(2024)),
    ], delimiter="\t", thousands="'"),
    Table("French hospital", [
        ("N° patient", P, INT, whole(10000, 99999), True), ("Nom", I, TEXT, name("fr", "last"), True), ("Prénom", I, TEXT, name("fr", "first"), True),
        ("Date de naissance", Q, DATE, day(1930, 2018), True), ("Sexe", Q, TEXT, pick("H", "F"), True), ("Code postal", Q, TEXT, code("69009".replace("00", "99")), True),
        ("N° sécurité sociale", I, TEXT, nir, True), ("Date d'entrée", Q, DATE, day(2022, 2024)), ("Diagnostic principal", S, TEXT, pick(*ICD)),
        ("Durée de séjour", S, INT, bell(5, 3, 1, 40)), ("Taille (cm)", Q, INT, bell(168, 9, 120, 205), True), ("Poids", Q, REAL, real(72, 12), True),
        ("Observations", I, TEXT, free_text("fr")),
    ], repeats=2, delimiter=";", encoding="latin-1", date="%d/%m/%Y", decimal=","),
    Table("French taxes", [
        ("num_fiscal", I, TEXT, code("9999999999999")), ("age", Q, INT, bell(48, 16, 18, 98)), ("situation_familiale", Q, TEXT, pick("célibataire", "marié", "divorcé", "veuf", "pacsé")),
        ("commune", Q, TEXT, town("fr")), ("departement", Q, TEXT, pick("69", "75", "13", "33", "59")), ("csp", Q, TEXT, pick("cadre", "ouvrier", "employé", "retraité")),
        ("nb_enfants", Q, INT, whole(0, 5)), ("revenu_fiscal", S, REAL, money(28000)), ("impot", S, REAL, money(2500)), ("telephone", I, TEXT, phone("06 99 99 99 99")),
        ("adresse", I, TEXT, street("fr")),
    ], delimiter=";", decimal=",", thousands=" "),
    Table("Belgian staff", [
        ("matricule", I, INT, counter(70001)), ("numéro national", I, TEXT, rijksregister), ("nationalité", Q, TEXT, pick("belge", "française", "italienne", weights=[8, 2, 1])),
        ("fonction", Q, TEXT, pick("comptable", "technicien", "directeur", "secrétaire", "vendeur")), ("date d'embauche", Q, DATE, day(1995, 2024)), ("salaire brut", S, REAL, money(3500)),
        ("état civil", Q, TEXT, pick("célibataire", "marié", "divorcé")), ("jours de maladie", S, INT, bell(5, 5, 0, 90)), ("syndicat", S, TEXT, pick("CSC", "FGTB", "aucun")),
        ("langue", Q, TEXT, pick("fr", "nl", "de")), ("compte bancaire", I, TEXT, iban("BE", 16)),
    ], rows=300, delimiter=";", date="%d/%m/%Y", decimal=","),
    Table("Spanish registry", [
        ("DNI", I, TEXT, dni), ("Nombre y apellidos", I, TEXT, name("es")), ("Fecha de nacimiento", Q, DATE, day(1930, 2015)), ("Sexo", Q, TEXT, pick("Hombre", "Mujer")),
        ("Código postal", Q, TEXT, code("41099")), ("Provincia", Q, TEXT, pick("Sevilla", "Cádiz", "Huelva", "Málaga")), ("Estado civil", Q, TEXT, pick("soltero", "casado", "viudo", "divorciado")),
        ("Nivel de estudios", Q, TEXT, pick("primaria", "secundaria", "universidad")), ("Diagnóstico", S, TEXT, pick(*ICD)), ("Tratamiento", S, TEXT, pick("cirugía", "radioterapia", "quimioterapia")),
        ("Estadio", S, TEXT, pick("I", "II", "III", "IV")), ("Supervivencia (meses)", S, INT, bell(30, 20, 0, 120)),
    ], delimiter=";", encoding="latin-1", date="%d/%m/%Y"),
    Table("Mexican clinic", [
        ("id_paciente", P, INT, whole(1000, 99999), True), ("edad", Q, INT, bell(40, 20, 0, 95), True), ("genero", Q, TEXT, pick("F", "M"), True), ("municipio", Q, TEXT, town("es"), True),
        ("ocupacion", Q, TEXT, pick("campesino", "maestra", "obrero", "comerciante", "hogar"), True), ("fecha_consulta", Q, DATE, day(2023, 2024)), ("glucosa", S, REAL, real(105, 25)),
        ("hemoglobina", S, REAL, real(13.5, 1.5)), ("enfermedad", S, TEXT, pick("diabetes", "hipertensión", "asma", "gripe")), ("medico", Q, TEXT, pick("Dr. Ruiz", "Dra. Gómez", "Dr. Pérez")),
        ("telefono_celular", I, TEXT, phone("55 9999 9999"), True),
    ], repeats=3, date="%d/%m/%Y"),
    Table("Argentine households", [
        ("hogar_id", I, INT, counter(1)), ("personas", Q, INT, whole(1, 9)), ("barrio", Q, TEXT, pick("Palermo", "Boedo", "Flores", "Once", "Caballito")), ("vivienda", Q, TEXT, pick("propia", "alquilada", "cedida")),
        ("ingreso_total", S, REAL, money(250000)), ("deuda", S, REAL, money(40000)), ("religión", S, TEXT, pick("católica", "evangélica", "ninguna", "judía")), ("domicilio", I, TEXT, street("es")),
        ("factor_expansion", N, REAL, real(350, 40, 2)), ("año_nacimiento_jefe", Q, INT, whole(1930, 2004)),
    ], delimiter=";", decimal=",", thousands="."),
    Table("Italian hospital", [
        ("codice_fiscale", P, TEXT, codice_fiscale, True), ("cognome", I, TEXT, name("it", "last"), True), ("nome", I, TEXT, name("it", "first"), True), ("data_nascita", Q, DATE, day(1930, 2018), True),
        ("sesso", Q, TEXT, pick("M", "F"), True), ("CAP", Q, TEXT, code("10199"), True), ("comune_residenza", Q, TEXT, town("it"), True), ("reparto", Q, TEXT, pick("cardiologia", "chirurgia", "medicina")),
        ("data_ricovero", Q, DATE, day(2023, 2024)), ("diagnosi", S, TEXT, pick(*ICD)), ("esito", S, TEXT, pick("dimesso", "deceduto", "trasferito", weights=[20, 1, 2])),
        ("costo", S, REAL, money(2200)), ("note", I, TEXT, free_text("it")),
    ], repeats=2, delimiter=";", encoding="cp1252", date="%d/%m/%Y", decimal=","),
    Table("Italian municipality", [
        ("matricola", I, TEXT, code("CM9999999")), ("età", Q, INT, bell(46, 18, 18, 99)), ("stato civile", Q, TEXT, pick("celibe", "coniugato", "vedovo", "divorziato")),
        ("titolo di studio", Q, TEXT, pick("licenza media", "diploma", "laurea")), ("professione", Q, TEXT, pick("impiegato", "operaio", "insegnante", "medico", "artigiano")),
        ("cittadinanza", Q, TEXT, pick("italiana", "rumena", "albanese", weights=[8, 1, 1])), ("reddito annuo", S, REAL, money(24000)), ("numero figli", Q, INT, whole(0, 5)),
        ("indirizzo", I, TEXT, street("it")), ("invalidità", S, TEXT, pick("no", "sì", weights=[12, 1])), ("cellulare", I, TEXT, phone("+39 3N9 9999999")),
    ], delimiter=";", decimal=",", thousands="."),
    Table("Dutch practice", [
        ("BSN", P, TEXT, bsn, True), ("achternaam", I, TEXT, name("nl", "last"), True), ("geboortedatum", Q, DATE, day(1932, 2018), True), ("geslacht", Q, TEXT, pick("man", "vrouw"), True),
        ("postcode", Q, TEXT, code("35N9 XX".replace("N", "1")), True), ("woonplaats", Q, TEXT, town("nl"), True), ("verzekeraar", Q, TEXT, pick("CZ", "VGZ", "Menzis"), True), ("consultdatum", Q, DATE, day(2023, 2024)),
        ("aandoening", S, TEXT, pick("astma", "diabetes", "griep", "jicht")), ("medicatie", S, TEXT, pick("geen", "metformine", "salbutamol")), ("bloeddruk_sys", S, INT, bell(128, 14, 90, 200)),
        ("opmerkingen", I, TEXT, free_text("nl")),
    ], repeats=2, date="%d-%m-%Y"),
    Table("Dutch survey", [
        ("respondentnr", I, INT, counter(1)), ("leeftijd", Q, INT, bell(47, 17, 18, 92)), ("burgerlijke staat", Q, TEXT, pick("gehuwd", "ongehuwd", "gescheiden")), ("opleiding", Q, TEXT, pick("vmbo", "mbo", "hbo", "wo")),
        ("beroep", Q, TEXT, pick("leraar", "verpleger", "kok", "bakker", "jurist")), ("provincie", Q, TEXT, pick("Utrecht", "Drenthe", "Zeeland", "Limburg")), ("inkomen", S, REAL, money(2900)),
        ("stemgedrag", S, TEXT, pick("VVD", "D66", "CDA", "GL", "SP")), ("weegfactor", N, REAL, real(1, 0.3, 3)), ("aantal kinderen", Q, INT, whole(0, 4)), ("mobiel", I, TEXT, phone("06-99999999")),
    ], delimiter=";", decimal=","),
    Table("Irish staff", [
        ("staffNo", I, INT, counter(9001)), ("fullName", I, TEXT, name("en")), ("DateOfBirth", Q, DATE, day(1958, 2003)), ("department", Q, TEXT, pick("Sales", "IT", "Finance", "HR")),
        ("grade", Q, INT, whole(1, 8)), ("nationality", Q, TEXT, pick("Irish", "Polish", "British", "Brazilian", weights=[7, 2, 1, 1])), ("salary", S, INT, lambda r: 500 * r.randint(50, 200)),
        ("sickDays", S, INT, bell(4, 4, 0, 60)), ("performanceRating", S, INT, whole(1, 5)), ("IBAN", I, TEXT, iban("IE", 22)), ("workEmail", I, TEXT, email("en")),
        ("startDate", Q, DATE, day(1990, 2024)),
    ], rows=400),
    Table("Canadian mobility", [
        ("trip_id", I, INT, counter(1)), ("card_number", P, TEXT, code("9999999999999999"), True), ("age_group", Q, TEXT, pick("0-17", "18-34", "35-64", "65+"), True), ("origin_lat", Q, REAL, real(45.5, 0.05, 5)),
        ("origin_lon", Q, REAL, lambda r: ("real", -73.6 + r.gauss(0, 0.05), 5)), ("start_time", Q, DATE, day(2024, 2024)), ("mode", Q, TEXT, pick("bus", "metro", "bike")), ("fare_paid", S, REAL, pick(("real", 3.75, 2), ("real", 2.5, 2), ("real", 11, 2))),
        ("purpose", S, TEXT, pick("work", "school", "health", "leisure")),
    ], repeats=4),
    Table("British census sample", [
        ("Age", Q, INT, bell(40, 22, 0, 99)), ("Sex", Q, TEXT, pick("1", "2")), ("MaritalStatus", Q, TEXT, whole(1, 5)), ("CountryOfBirth", Q, TEXT, whole(1, 2)), ("Religion", S, INT, whole(1, 9)), ("Occupation", Q, TEXT, whole(1, 9)),
        ("Hours worked per week", Q, INT, bell(37, 9, 1, 80)), ("Region", Q, TEXT, pick("E12000001", "E12000002", "E12000003", "W92000004")), ("Health", S, INT, whole(1, 5)),
        ("Household income", S, INT, money(31000, 0)), ("Economic Activity", Q, TEXT, sometimes(pick("1", "2", "3", "4"), 0.1, ["NA", "n/a"])),
    ]),
]

UNSEEN = [
    Table("Emergency visits", [
        ("EncounterKey", I, TEXT, code("E99999999")), ("PatientDurableKey", P, TEXT, code("Z9999999"), True), ("PatientSex", Q, TEXT, pick("F", "M"), True), ("AgeAtArrival", Q, INT, bell(44, 24, 0, 100), True),
        ("ArrivalDts", Q, DATE, day(2023, 2024)), ("ZipCd", Q, TEXT, code("02199"), True), ("ChiefComplaint", S, TEXT, pick("chest pain", "fall", "fever", "headache", "cough")),
        ("TriageAcuity", S, INT, whole(1, 5)), ("InsuranceClass", Q, TEXT, pick("Medicare", "Commercial", "None"), True), ("EdLengthOfStayMin", S, INT, bell(240, 90, 20, 900)),
        ("AttendingProvider", Q, TEXT, pick("P1", "P2", "P3", "P4")), ("PreferredLanguage", Q, TEXT, pick("English", "Spanish", "Portuguese", weights=[8, 2, 1]), True),
    ], repeats=2),
    Table("Cancer registry codes", [
        ("TUMOURID", I, INT, counter(8000001)), ("PATIENTID", I, INT, whole(20000000, 29999999), True), ("GENDER", Q, TEXT, pick(1, 2), True), ("ETHNICITY", Q, TEXT, pick("A", "B", "C", "H", "Z"), True),
        ("DIAGNOSISDATEBEST", Q, DATE, day(2013, 2019)), ("SITE_ICD10_O2", S, TEXT, pick("C500", "C61", "C349", "C187", "D051")), ("STAGE_BEST", S, TEXT, pick("1A", "2", "3B", "4")),
        ("AGE", Q, INT, bell(65, 13, 18, 99), True), ("QUINTILE_2019", Q, INT, whole(1, 5), True), ("VITALSTATUS", S, TEXT, pick("A", "D", weights=[6, 4]), True),
    ], rows=500, repeats=1),
    Table("Bavarian lab", [
        ("Auftragsnummer", I, INT, counter(770001)), ("Pat-ID", P, TEXT, code("P99999"), True), ("Geb. am", Q, DATE, day(1940, 2010), True), ("m/w/d", Q, TEXT, pick("m", "w", "d", weights=[10, 10, 1]), True),
        ("Einsender", Q, TEXT, pick("Praxis Nord", "MVZ Süd", "Klinikum")), ("Abnahmezeitpunkt", Q, DATE, day(2024, 2024)), ("Leukozyten", S, REAL, real(7, 2)), ("CRP (mg/l)", S, REAL, real(5, 3)),
        ("HbA1c", S, REAL, real(5.8, 0.6)), ("Befundtext", I, TEXT, free_text("de")), ("Kostenträger", Q, TEXT, pick("AOK", "TK", "privat"), True), ("Rechnungsbetrag", S, REAL, money(45)),
    ], repeats=2, delimiter=";", encoding="cp1252", date="%d.%m.%Y", decimal=","),
    Table("Vienna tenants", [
        ("Mieternummer", I, INT, counter(31000)), ("Mietername", I, TEXT, name("de", "comma")), ("Stiege/Tür", I, TEXT, code("9/99")), ("Bezirk", Q, TEXT, whole(1, 23)), ("Wohnfläche m²", Q, REAL, real(70, 18)), ("Nettomiete", S, REAL, money(600)),
        ("Einzugsdatum", Q, DATE, day(1985, 2024)), ("Personenanzahl", Q, INT, whole(1, 6)), ("Mietrückstand", S, REAL, money(120)), ("Staatsbürgerschaft", Q, TEXT, pick("AT", "DE", "RS", "TR", weights=[7, 1, 1, 1])),
        ("Handynummer", I, TEXT, phone("0664 9999999")), ("Kündigungsgrund", S, TEXT, pick("keiner", "Eigenbedarf", "Zahlung", weights=[8, 1, 1])),
    ], rows=400, delimiter=";", date="%d.%m.%Y", decimal=",", thousands="."),
    Table("Quebec pupils", [
        ("code_permanent", I, TEXT, code("XXXX99999999")), ("prénom de l'élève", I, TEXT, name("fr", "first")), ("niveau scolaire", Q, TEXT, pick("1", "2", "3", "4", "5")), ("langue maternelle", Q, TEXT, pick("français", "anglais", "arabe")),
        ("pays d'origine", Q, TEXT, pick("Canada", "Haïti", "Algérie", "France", weights=[8, 1, 1, 1])), ("moyenne générale", S, REAL, real(74, 9)), ("EHDAA", S, TEXT, pick("N", "O", weights=[9, 1])), ("revenu des parents", S, INT, lambda r: int(r.lognormvariate(11, 0.4))),
        ("courriel du parent", I, TEXT, email("fr")), ("absences", S, INT, bell(5, 4, 0, 40)), ("date_naiss", Q, DATE, day(2006, 2012)),
    ], rows=450),
    Table("French jobseekers", [
        ("idde", I, TEXT, code("9999999X")), ("civilité", Q, TEXT, pick("M.", "Mme")), ("tranche d'âge", Q, TEXT, pick("<25", "25-49", "50+")), ("diplôme", Q, TEXT, pick("CAP", "bac", "licence", "master")), ("métier recherché", Q, TEXT, pick("vendeur", "maçon", "infirmier", "cuisinier")),
        ("code_insee_commune", Q, TEXT, code("6912N".replace("N", "9"))), ("durée de chômage (mois)", S, INT, bell(11, 8, 0, 60)), ("allocation journalière", S, REAL, money(38)), ("RQTH", S, TEXT, pick("non", "oui", weights=[9, 1])),
        ("nb enfants à charge", Q, INT, whole(0, 4)), ("date d'inscription", Q, DATE, day(2020, 2024)), ("tél", I, TEXT, phone("+33 6 99 99 99 99")),
    ], delimiter=";", date="%d/%m/%Y", decimal=","),
    Table("Chilean pharmacy", [
        ("folio", I, INT, counter(1)), ("rut_paciente", P, TEXT, code("99999999-9"), True), ("fec_despacho", Q, DATE, day(2024, 2024)), ("comuna", Q, TEXT, town("es"), True), ("principio_activo", S, TEXT, pick("losartán", "metformina", "sertralina", "paracetamol")),
        ("cantidad", S, INT, whole(1, 90)), ("prevision", Q, TEXT, pick("Fonasa", "Isapre"), True), ("sexo", Q, TEXT, pick("F", "M"), True), ("anio_nac", Q, INT, whole(1935, 2018), True), ("copago", S, INT, lambda r: 10 * r.randint(10, 2000)),
        ("médico tratante", Q, TEXT, pick("Rojas", "Soto", "Muñoz")), ("patología", S, TEXT, pick("HTA", "DM2", "depresión", "dolor"), True),
    ], repeats=3, delimiter=";", date="%d-%m-%Y"),
    Table("Spanish census", [
        ("IDHUECO", I, INT, counter(1)), ("CPRO", Q, TEXT, pick("28", "08", "41", "46")), ("TAMUNI", Q, INT, whole(1, 5)), ("EDAD", Q, INT, bell(43, 22, 0, 99)), ("ECIVIL", Q, TEXT, pick("1", "2", "3", "4")), ("NACIONALIDAD", Q, TEXT, pick("108", "203", "228", weights=[8, 1, 1])),
        ("ESTUDIOS", Q, TEXT, pick("primarios", "medios", "superiores")), ("OCU63", Q, TEXT, pick("112", "223", "411", "512", "933")), ("INGRESOS_HOGAR", S, REAL, money(27000)), ("FACTOR", N, REAL, real(85, 9, 4)), ("LUGAR_NAC", Q, TEXT, town("es")),
    ]),
    Table("Lombardy emergency", [
        ("id_accesso", I, INT, counter(50001)), ("cod_fisc_anonimo", P, TEXT, code("XX999999"), True), ("classe_eta", Q, TEXT, pick("0-17", "18-39", "40-64", "65-79", "80+"), True), ("genere", Q, TEXT, pick("M", "F"), True),
        ("asl_residenza", Q, TEXT, pick("ATS1", "ATS2", "ATS3"), True), ("nazione_nascita", Q, TEXT, pick("ITA", "MAR", "ROU", weights=[9, 1, 1]), True), ("dt_ingresso", Q, DATE, day(2023, 2023)), ("triage", S, TEXT, pick("bianco", "verde", "giallo", "rosso")),
        ("problema_principale", S, TEXT, pick("dolore toracico", "trauma", "febbre", "dispnea")), ("pressione_max", S, INT, bell(130, 18, 80, 220)), ("ticket_euro", S, REAL, money(25)), ("medico_curante", Q, TEXT, pick("M01", "M02", "M03"), True),
    ], repeats=2, delimiter=";", date="%d/%m/%Y", decimal=","),
    Table("Flemish welfare", [
        ("dossiernummer", I, INT, counter(4001)), ("INSZ", I, TEXT, rijksregister), ("voornaam cliënt", I, TEXT, name("nl", "first")), ("gezinssamenstelling", Q, TEXT, pick("alleenstaand", "koppel", "eenouder")), ("geboortejaar", Q, INT, whole(1940, 2006)),
        ("nationaliteit", Q, TEXT, pick("Belg", "Nederlander", "Marokkaan", weights=[8, 1, 1])), ("woonsituatie", Q, TEXT, pick("huur", "eigendom", "opvang")), ("leefloon", S, REAL, money(1100)), ("schuldenlast", S, REAL, money(9000)), ("diploma", Q, TEXT, pick("geen", "lager", "secundair", "hoger")),
        ("verslag", I, TEXT, free_text("nl")), ("gemeente", Q, TEXT, town("nl")), ("rekening", I, TEXT, iban("BE", 16)),
    ], rows=350, delimiter=";", decimal=","),
]


# Names of columns as in public data (Synthea, MIMIC-III, Titanic, Telco, IBM HR, Cleveland, German hospitals); the values are invented.
PUBLISHED = [
    Table("synthea patients", [
        ("Id", I, TEXT, lambda r: "%08x-%04x-4%03x-a%03x-%012x" % (r.getrandbits(32), r.getrandbits(16), r.getrandbits(12), r.getrandbits(12), r.getrandbits(48))),
        ("BIRTHDATE", Q, DATE, day(1930, 2020)), ("DEATHDATE", Q, DATE, sometimes(day(1990, 2020), 0.8, [""])), ("SSN", I, TEXT, ssn),
        ("DRIVERS", I, TEXT, code("S999999")), ("PASSPORT", I, TEXT, code("X9999999X")), ("PREFIX", Q, TEXT, pick("Mr.", "Mrs.", "Ms.")),
        ("FIRST", I, TEXT, name("en", "first")), ("LAST", I, TEXT, name("en", "last")), ("MAIDEN", I, TEXT, sometimes(name("en", "last"), 0.6, [""])),
        ("MARITAL", Q, TEXT, pick("M", "S", "")), ("RACE", Q, TEXT, pick("white", "black", "asian")), ("ETHNICITY", Q, TEXT, pick("hispanic", "nonhispanic")),
        ("GENDER", Q, TEXT, pick("M", "F")), ("BIRTHPLACE", Q, TEXT, town("us")), ("ADDRESS", I, TEXT, street("en")), ("CITY", Q, TEXT, town("us")),
        ("STATE", Q, TEXT, pick("Massachusetts", "Maine")), ("COUNTY", Q, TEXT, pick("Essex", "Norfolk")), ("ZIP", Q, TEXT, code("02199")),
        ("LAT", Q, REAL, real(42, 0.5, 6)), ("LON", Q, REAL, real(71, 0.5, 6)), ("HEALTHCARE_EXPENSES", S, REAL, money(100000)),
        ("HEALTHCARE_COVERAGE", S, REAL, money(5000)),
    ]),
    Table("mimic admissions", [
        ("ROW_ID", I, INT, counter()), ("SUBJECT_ID", P, INT, whole(10000, 99999), True), ("HADM_ID", I, INT, counter(100000)), ("ADMITTIME", Q, DATE, day(2100, 2190)),
        ("DEATHTIME", Q, DATE, sometimes(day(2100, 2190), 0.8, [""])), ("ADMISSION_TYPE", Q, TEXT, pick("EMERGENCY", "ELECTIVE", "URGENT")),
        ("ADMISSION_LOCATION", Q, TEXT, pick("CLINIC", "TRANSFER")), ("INSURANCE", Q, TEXT, pick("Medicare", "Private"), True),
        ("LANGUAGE", Q, TEXT, pick("ENGL", "SPAN"), True), ("RELIGION", S, TEXT, pick("CATHOLIC", "JEWISH", "NOT SPECIFIED"), True),
        ("MARITAL_STATUS", Q, TEXT, pick("MARRIED", "SINGLE"), True), ("ETHNICITY", Q, TEXT, pick("WHITE", "BLACK"), True),
        ("DIAGNOSIS", S, TEXT, pick("SEPSIS", "PNEUMONIA", "STROKE")), ("HOSPITAL_EXPIRE_FLAG", S, INT, pick(0, 1)),
    ], repeats=2),
    Table("titanic", [
        ("PassengerId", I, INT, counter()), ("Survived", S, INT, pick(0, 1)), ("Pclass", Q, INT, pick(1, 2, 3)), ("Name", I, TEXT, name("en")),
        ("Sex", Q, TEXT, pick("male", "female")), ("Age", Q, REAL, real(30, 10)), ("SibSp", Q, INT, whole(0, 5)), ("Parch", Q, INT, whole(0, 4)),
        ("Ticket", I, TEXT, code("A/5 99999")), ("Fare", S, REAL, money(30, 4)), ("Cabin", Q, TEXT, sometimes(code("C99"), 0.7, [""])),
        ("Embarked", Q, TEXT, pick("S", "C", "Q")),
    ]),
    Table("telco", [
        ("customerID", I, TEXT, code("9999-XXXXX")), ("gender", Q, TEXT, pick("Male", "Female")), ("SeniorCitizen", Q, INT, pick(0, 1)),
        ("Partner", Q, TEXT, pick("Yes", "No")), ("Dependents", Q, TEXT, pick("Yes", "No")), ("tenure", Q, INT, whole(0, 72)),
        ("PhoneService", Q, TEXT, pick("Yes", "No")), ("InternetService", Q, TEXT, pick("DSL", "Fiber", "No")), ("Contract", Q, TEXT, pick("Month", "Year")),
        ("PaymentMethod", S, TEXT, pick("check", "card", "bank")), ("MonthlyCharges", S, REAL, money(60)), ("Churn", S, TEXT, pick("Yes", "No")),
    ]),
    Table("ibm hr", [
        ("Age", Q, INT, whole(18, 60)), ("Attrition", S, TEXT, pick("Yes", "No")), ("BusinessTravel", Q, TEXT, pick("Rarely", "Often")),
        ("DailyRate", S, INT, whole(100, 1500)), ("Department", Q, TEXT, pick("Sales", "R&D")), ("DistanceFromHome", Q, INT, whole(1, 29)),
        ("EducationField", Q, TEXT, pick("Medical", "Marketing")), ("EmployeeCount", N, INT, pick(1)), ("EmployeeNumber", I, INT, counter()),
        ("Gender", Q, TEXT, pick("M", "F")), ("JobRole", Q, TEXT, pick("a", "b", "c")), ("JobSatisfaction", S, INT, whole(1, 4)),
        ("MonthlyIncome", S, INT, whole(1000, 20000)), ("OverTime", Q, TEXT, pick("Yes", "No")), ("PerformanceRating", S, INT, whole(3, 4)),
        ("YearsAtCompany", Q, INT, whole(0, 40)),
    ]),
    Table("heart", [
        ("age", Q, INT, whole(29, 77)), ("sex", Q, TEXT, pick("0", "1")), ("cp", S, INT, whole(0, 3)), ("trestbps", S, INT, whole(94, 200)),
        ("chol", S, INT, whole(126, 564)), ("fbs", S, INT, pick(0, 1)), ("thalach", S, INT, whole(71, 202)), ("oldpeak", S, REAL, real(1, 0.8)),
        ("target", S, INT, pick(0, 1)),
    ], rows=300),
    Table("de fallpauschalen", [
        ("FALLNUMMER", I, TEXT, code("9999999999")), ("IK", N, TEXT, pick("260500000")), ("ALTER_IN_JAHREN_AM_AUFNAHMETAG", Q, INT, whole(0, 99)),
        ("GESCHLECHT", Q, TEXT, pick("m", "w")), ("PLZ", Q, TEXT, code("12999")), ("AUFNAHMEANLASS", Q, TEXT, pick("E", "N", "Z")),
        ("AUFNAHMEGRUND", Q, TEXT, pick("0101", "0801")), ("ENTLASSUNGSGRUND", Q, TEXT, pick("012", "079")), ("HD_ICD", S, TEXT, pick(*ICD)),
        ("OPS_1", S, TEXT, code("5-999.9")), ("BEATMUNGSSTUNDEN", S, INT, whole(0, 300)), ("DRG", S, TEXT, pick("F62A", "G67C")), ("VERWEILDAUER", S, INT, whole(1, 30)),
        ("EFFEKTIVGEWICHT", S, REAL, real(1, 0.5, 3)),
    ]),
]


# --- Counting. ------------------------------------------------------------------------------------------------------

def inspect(program, table, path):
    result = subprocess.run([program, "inspect", path, "--json", "--threads", "1", *table.options()], capture_output=True, text=True, check=False)
    if result.returncode != 0:
        sys.exit(f"{table.title}: {result.stderr}")
    return json.loads(result.stdout)["columns"]


def judge(program, table, path, misses):
    found = inspect(program, table, path)
    roles = types = 0
    for column, seen in zip(table.columns, found, strict=True):
        roles += seen["role"] == column[1]
        # Whether the digits of an identifier are a number or a text is no matter: it is not released.
        right = seen["type"] == column[2] or (column[1] in (I, P) and {seen["type"], column[2]} == {TEXT, INT})
        types += right
        if misses and (seen["role"] != column[1] or not right):
            print(f"  {table.title}: {column[0]}: {column[1]} {column[2]}, called {seen['role']} {seen['type']}: {seen.get('reason', seen.get('note'))}")
    return roles, types, len(found)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--program", required=True)
    parser.add_argument("--other", help="another program, such as one of before, shown first")
    parser.add_argument("--set", choices=["known", "unseen", "published"], default="known")
    parser.add_argument("--misses", action="store_true", help="list what the program gets wrong")
    parser.add_argument("--write", type=Path, help="keep the tables in this folder")
    parser.add_argument("--least", type=float, help="fail when fewer than so many per cent of roles or types are right")
    options = parser.parse_args()
    programs = [p for p in (options.other, options.program) if p]
    totals = [[0, 0, 0] for _ in programs]

    print("| table | columns |" + " roles | types |" * len(programs))
    print("|---|---:|" + "---:|---:|" * len(programs))
    with tempfile.TemporaryDirectory() as folder:
        folder = options.write or Path(folder)
        folder.mkdir(exist_ok=True)
        for table in {"known": KNOWN, "unseen": UNSEEN, "published": PUBLISHED}[options.set]:
            path = folder / (table.title.lower().replace(" ", "_") + ".csv")
            table.write(path)
            row = f"| {table.title} | {len(table.columns)} |"
            for i, program in enumerate(programs):
                counts = judge(program, table, path, options.misses and program == options.program)
                row += f" {counts[0]} | {counts[1]} |"
                totals[i] = [a + b for a, b in zip(totals[i], counts)]
            print(row)
    print(f"| all | {totals[0][2]} |" + "".join(f" {100 * t[0] / t[2]:.1f} % | {100 * t[1] / t[2]:.1f} % |" for t in totals))
    return 1 if options.least and 100 * min(totals[-1][:2]) < options.least * totals[-1][2] else 0


if __name__ == "__main__":
    sys.exit(main())
