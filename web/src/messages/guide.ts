// Pages of the guide that a screen opens by its question mark: those of docs/vodic, to the letter (`ui/GuideButton.test.tsx`).
export interface GuidePage {
  title: string;
  /** Paragraphs; `**` stands around what is pressed on the screen. */
  paragraphs: readonly string[];
}

export const guide = {
  visits: {
    title: 'Posete pacijenta',
    paragraphs: [
      'Svi formulari jednog dana, registra i ustanove su jedna poseta: ima jedan datum i jednog lekara. Na stranici pacijenta panel **Posete** prikazuje posete od najnovije, sa formularima svake od njih.',
      '**Još jedan formular.** Znak plus pored posete otvara novi formular sa datumom i lekarom te posete. I kada unos započnete na drugom mestu, za isti dan se sam pridružuje poseti; na unosu piše kojoj.',
      '**Dvoje u isto vreme.** Sestra i lekar mogu u isto vreme da popunjavaju različite formulare iste posete. Ko isti formular započne drugi, dobija pitanje da li se pridružuje unosu koji je započet: ništa što je otkucao se ne gubi.',
      '**Promena datuma ili lekara.** Znak kalendara pored posete menja ih svim formularima odjednom. Kada datum ili lekara promenite na jednom formularu, pita se da li važi za celu posetu ili samo za taj formular. Ako neki formular ne može na taj dan, ne menja se nijedan i piše zašto.',
      '**Šta se promenilo.** Pored svakog polja na unosu stoji poslednja ranija vrednost, njen datum i razlika. Panel **Od prošle posete** prikazuje samo promene. Isto stoji i na kraju štampe unosa.',
      '**Sažetak.** Dugme **Sažetak** otvara pacijenta na jednoj strani: poslednja poseta, promene, poslednje vrednosti i tok. **Štampaj** pravi PDF.',
    ],
  },
  worklist: {
    title: 'Moja lista i pretraga',
    paragraphs: [
      '**Moja lista** okuplja pacijente koji vas se tiču: ko je danas u ustanovi, šta ste započeli a niste snimili, kome ste bili lekar u poslednjih godinu dana i koga ste nedavno otvorili. Uz svaki spisak stoji koliko ih je.',
      '**Pacijent u svim registrima.** U polje na vrhu upišite ime i prezime, JMBG, LBO ili broj kartona. Nalaze se pacijenti koje vaša ustanova vodi.',
      '**Tastatura.** U rezultatima pretrage registra strelice biraju pacijenta, Enter ga otvara, a slovo N započinje unos. U prozoru koji se otvori izaberite formular strelicom i pritisnite Enter.',
      '**Snimljene pretrage.** **Snimi pretragu** pamti uslove pod nazivom, za vas ili za celu ustanovu. **Kopiraj vezu** daje adresu sa istim uslovima, koju možete poslati kolegi: on po njoj pretražuje sa svojim pravima.',
      '**Šta se ne pamti.** Ime, prezime, JMBG, LBO i uslovi po tekstu ne ulaze ni u vezu ni u snimljenu pretragu, da ne bi otkrili o kome je reč.',
    ],
  },
  patientStatus: {
    title: 'Status pacijenta',
    paragraphs: [
      'Za svaki registar se zna šta je sa pacijentom: aktivan, izgubljen iz praćenja, povukao saglasnost ili premešten. Smrt je pacijentova i važi u svim registrima. Panel **Status pacijenta** na njegovoj stranici čuva istoriju: šta je rečeno, za koji dan, odakle je podatak i ko ga je zabeležio.',
      '**Novi status.** **Zabeleži status**, pa **Status**, **Registar**, **Dan** i **Izvor podatka**. Ako registar ima listu uzroka, bira se i **Uzrok**.',
      '**Smrt.** Vidi je svaka ustanova koja zna pacijenta, sa tim ko ju je zabeležio. Posle tog dana se ne može napraviti nijedan unos, ni na ekranu ni uvozom. Ako posle tog dana već postoje unosi, pre čuvanja se vidi koji su: ili dan smrti nije tačan, ili su to datumi tih unosa.',
      '**Ispravka.** **Ispravi** pored zapisa traži i razlog. Raniji zapis ostaje u istoriji, precrtan. **Poništi** kaže da toga nije ni bilo: na primer, smrt je zabeležena pogrešnoj osobi. Ispravlja svako ko ima pravo, i iz druge ustanove.',
      '**Gde se vidi.** Na stranici pacijenta i na njegovim unosima, u rezultatima pretrage, na štampi unosa, u izveštajima i u izvozu podataka. U pretrazi registra **Status** suzi rezultate na one sa izabranim statusom; bez izbora su svi.',
    ],
  },
  consents: {
    title: 'Saglasnosti pacijenta',
    paragraphs: [
      'Saglasnost se daje po svrsi: za registar, istraživanje, kontakt i razmenu podataka. Na panelu **Saglasnosti** na stranici pacijenta vidi se šta važi u kom registru, i istorija: kada je data ili povučena, na koju verziju teksta i ko je to zabeležio.',
      '**Beleženje.** **Zabeleži saglasnost**, pa **Registar**, **Svrha**, da li je data ili povučena, i **Dan**. Vidi se tekst na koji se daje, a potpisani fajl se dodaje sa **Priloži potpisanu saglasnost**. Ništa se ne menja unazad: povlačenje je novi zapis.',
      '**Povlačenje za registar.** Pita se da li pacijent dobija status „povukao saglasnost”. Unosi ostaju.',
      '**Šta zavisi od saglasnosti.** Ko nije saglasan sa istraživanjem nije u izveštajima nad svim ustanovama ni u izvozu podataka bez identiteta; uz njih piše koliko je takvih. Pacijentima se za sada ništa ne šalje, a među ustanovama se razmenjuju samo formulari.',
      '**Podešavanje.** Administrator na registru kaže da li on počiva na zakonu ili na saglasnosti i za šta se saglasnost traži. Tekstovi su na tabu **Tekstovi saglasnosti**: snimljen tekst se ne menja, novi je nova verzija.',
    ],
  },
} as const satisfies Record<string, GuidePage>;
