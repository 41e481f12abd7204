/** Signing in by an account of the hospital's provider. The words of failures are the server's (`/api/oidc`). */
export const externalSignIn = {
  or: 'ili',
  underway: 'Prijava je u toku…',
  /** A window that was opened for it and cannot close itself. */
  done: 'Prijava je završena. Ovaj prozor možete zatvoriti.',
  codeLead: 'Vaš nalog je prepoznat. Otvorite aplikaciju za prijavu na telefonu i unesite njenih 6 cifara.',
  lockedLead: 'Niko nije radio za ovim ekranom. Prijavite se ponovo da biste nastavili; sve što je otkucano ostaje.',
  againLead: 'Prijavite se ponovo da biste nastavili. Ništa od unetog nije izgubljeno.',
  elsewhere: 'Prijava se otvara u novom prozoru; ova stranica ostaje kakva jeste.',
  waiting: 'Čekamo da završite prijavu u drugom prozoru. Ako ste ga zatvorili, otvorite ga ponovo.',
  typePassword: 'Unesi lozinku',
  confirmTitle: 'Potvrdite novom prijavom',
  cancelled: 'Izmena nije snimljena jer nije potvrđena.',
  proveFirst: 'Radi sigurnosti, prvo se prijavite ponovo.',
  blocked: 'Pregledač nije otvorio novi prozor. Dozvolite ovom sajtu da otvara prozore, pa pokušajte ponovo.',
  failures: {
    nedostupna: 'Sistem za prijavu trenutno nije dostupan. Pokušajte kasnije, ili se prijavite korisničkim imenom i lozinkom.',
    neispravna: 'Odgovor sistema za prijavu nije ispravan. Pokušajte ponovo; ako se ponovi, javite administratoru.',
    odbijena: 'Vaš nalog nije povezan sa radnikom koji može da se prijavi. Obratite se administratoru.',
    odustanak: 'Prijava je prekinuta.',
    istekla: 'Prijava je istekla, ili je počela u drugom pregledaču. Počnite je ponovo.',
    stara: 'Sistem za prijavu nije tražio da se prijavite ponovo. Odjavite se sa njega, pa pokušajte još jednom.',
  } as Readonly<Record<string, string>>,
} as const;
