// Labels of fields: `<resource>.<field>`. A screen names a column once and never a label.

export const labels = {
  'login.username': 'Korisničko ime',
  'login.password': 'Lozinka',

  'worker.ime': 'Ime',
  'worker.prezime': 'Prezime',
  'worker.imePrezime': 'Ime i prezime',
  'worker.username': 'Korisničko ime',
  'worker.password': 'Lozinka',
  'worker.lbo': 'LBO',
  'worker.jmbg': 'JMBG',
  'worker.ustanovaID': 'Ustanova',
  'worker.ustanovaNaziv': 'Ustanova',
  'worker.datumRodjenja': 'Datum rođenja',
  'worker.passwordWS': 'Lozinka za veb servis',
  'worker.pol': 'Pol',
  'worker.adresa': 'Adresa',
  'worker.email': 'E-pošta',
  'worker.telefon': 'Telefon',
  'worker.sifra': 'Šifra',
  'worker.theme': 'Tema',

  'passwordChange.staraLozinka': 'Stara lozinka',
  'passwordChange.novaLozinka': 'Nova lozinka',
  'passwordChange.potvrdaLozinke': 'Potvrda lozinke',

  'institution.naziv': 'Naziv',
  'institution.sifra': 'Šifra',
  'institution.adresa': 'Adresa',
  'institution.telefon': 'Telefon',
  'institution.username': 'Korisničko ime',
  'institution.password': 'Lozinka',

  'role.ime': 'Naziv',
  'role.opis': 'Opis',
  'role.numerickaVrednost': 'Numerička vrednost',
  'applicationRight.naziv': 'Aplikativno pravo',

  'parameter.naziv': 'Naziv',
  'parameter.vrednost': 'Vrednost',
  'parameter.opis': 'Opis',

  'register.redniBroj': 'R. br.',
  'register.naziv': 'Naziv',
  'register.opis': 'Opis',
  'register.sifra': 'Šifra',
  'register.nazivPrviUnos': 'Naziv prvog unosa',
  'register.prviTipHijerarhijeAtributaID': 'Prvi unos',
  'register.nazivPodrazumevaniUnos': 'Naziv podrazumevanog unosa',
  'register.podrazumevaniTipHijerarhijeAtributaID': 'Podrazumevani unos',

  'form.naziv': 'Naziv',
  'form.nazivEngleski': 'Naziv na engleskom',
  'form.prikazniRedosled': 'Prikazni redosled',
  'form.mozeSeInstancirati': 'Može se instancirati',
  'form.sifraVeza': 'Šifra veze',
  'form.napomena': 'Napomena',
  'form.opis': 'Opis',
  'form.maksimalanBrojInstanciPoKontaktu': 'Maksimalan broj instanci po kontaktu',
  'form.maksimalanBrojInstanciPoPacijentu': 'Maksimalan broj instanci po pacijentu',

  'sponsor.name': 'Naziv',
  'sponsor.code': 'Šifra',
  'sponsor.displayOrder': 'Prikazni redosled',
  'sponsor.description': 'Opis',
  'sponsor.note': 'Napomena',
  'sponsor.address': 'Adresa',
  'sponsor.phone': 'Telefon',
  'sponsor.websiteUrl': 'Veb adresa',
  'sponsor.logo': 'Logo',
} as const;

export type Label = keyof typeof labels;

export const label = (key: Label): string => labels[key];
