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
} as const satisfies Record<string, GuidePage>;
