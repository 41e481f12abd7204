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
      '**Iz formulara.** Datum u formularu može da postavi status, ako je tako podešen: dan koji se unese beleži se i ovde, sa formularom i poljem iz kog je. Izmena i brisanje tog datuma, ili unosa, ispravljaju zapis. Ko nema pravo „Status pacijenta”, taj datum ne menja; ono što je ispravljeno ovde formular ne menja.',
      '**Gde se vidi.** Na stranici pacijenta i na njegovim unosima, u rezultatima pretrage, na štampi unosa, u izveštajima i u izvozu podataka. U pretrazi registra **Status** suzi rezultate na one sa izabranim statusom; bez izbora su svi.',
    ],
  },
  consents: {
    title: 'Saglasnosti pacijenta',
    paragraphs: [
      'Saglasnost se daje po svrsi: za registar, istraživanje, kontakt i razmenu podataka. Na panelu **Saglasnosti** na stranici pacijenta vidi se šta važi u kom registru, i istorija: kada je data ili povučena, na koju verziju teksta i ko je to zabeležio.',
      '**Beleženje.** **Zabeleži saglasnost**, pa **Registar**, **Svrha**, da li je data ili povučena, i **Dan**. Vidi se tekst na koji se daje, a potpisani fajl se dodaje sa **Priloži potpisanu saglasnost**. Ništa se ne menja unazad: povlačenje je novi zapis.',
      '**Povlačenje za registar.** Pita se da li pacijent dobija status „povukao saglasnost”. Unosi ostaju.',
      '**Šta zavisi od saglasnosti.** Ko nije saglasan sa istraživanjem nije u izveštajima nad svim ustanovama ni u izvozu podataka bez identiteta; uz njih piše koliko je takvih. Ko nije saglasan sa kontaktom, na spisku **Ko kasni** nema broj telefona; pacijentima se za sada ništa ne šalje. Ko nije saglasan sa razmenom, njegove unose čitaju ustanove koje su ih napravile i ona koja ga vodi: ko ga preuzme vidi samo svoje unose.',
      '**Iz fajla.** Uvoz podataka prima saglasnosti: po koloni za svrhu, da li je data ili povučena, dan i, ako se zna, verziju teksta. Svaki red je novi zapis u istoriji. Redovi sa greškom se ne upisuju, i piše šta je u kom pogrešno.',
      '**Podešavanje.** Administrator na registru kaže da li on počiva na zakonu ili na saglasnosti i za šta se saglasnost traži. Tekstovi su na tabu **Tekstovi saglasnosti**: snimljen tekst se ne menja, novi je nova verzija.',
    ],
  },
  visitPlan: {
    title: 'Plan poseta pacijenta',
    paragraphs: [
      'Plan kaže kada se pacijent očekuje, koliko je prozor širok i kojim formularima se poseta ispunjava. Panel **Plan poseta** na stranici pacijenta pokazuje posete oko današnjeg dana; **Sve posete** ih pokazuje sve.',
      '**Stanje posete.** Buduća: prozor se još nije otvorio. Otvorena: danas je u prozoru. Kasni: prozor je prošao, a poseta se još čeka. Propuštena: više se ne čeka. Ispunjena: unos je u prozoru. Van prozora: unos je vezan za posetu, a nije u njenom prozoru. Otkazana: otkazana sa razlogom, ili se pacijent više ne očekuje.',
      '**Unos je poseta.** **Započni** otvara pravi formular sa današnjim danom. Unos sam postaje poseta čijem je terminu najbliži. **Veži unos** bira drugi unos, a **Nije ova poseta** ga odvaja.',
      '**Otkazivanje.** **Otkaži** traži razlog, a **Vrati** posetu ponovo čeka. Preminuli, izgubljeni iz praćenja i oni koji su povukli saglasnost nemaju otvorenih poseta.',
      '**Drugi plan ili dan uključenja.** **Izmeni plan** menja samo termine koji nisu ni ispunjeni ni otkazani. Raniji termin ostaje zapisan uz posetu.',
      '**Termini za pacijenta** otvara list sa terminima koji dolaze, koji pacijent nosi kući.',
    ],
  },
  entryStates: {
    title: 'Završeno, potpisano, zaključano',
    paragraphs: [
      'Snimljen unos je **u radu** dok neko ne kaže da je gotov. Na vrhu unosa stoji njegovo stanje, ko ga je potpisao ili zaključao, i dugmad za ono što smete.',
      '**Završi** proverava sve što bi proverilo i snimanje: obavezna polja, granice i pravila formulara. Ko ima pravo „Završavanje unosa”, može unos i da **Vrati u rad**, uz razlog. Izmena završenog unosa ga sama vraća u rad.',
      '**Potpiši** traži vašu lozinku, svaki put. Bira se **Značenje potpisa**: autor unosa, pregledao ili odobrio. Potpis čuva ko, kada, verziju formulara i otisak vrednosti (SHA-256). Isti unos može da potpiše više radnika.',
      '**Izmena okončava potpis.** Pre snimanja se pita, sa tim ko je potpisao i kada. Potpis koji ne važi više ostaje u istoriji. Uvoz potpisan unos ne menja, a preračunavanje ga preskače i kaže koliko je takvih. Ko objavljuje formular i ima pravo „Zaključavanje unosa”, može da izabere **Okončaj potpise i preračunaj i potpisane unose**: pre objave piše koliko potpisa prestaje, traži se razlog, a oni čiji su potpisi vide ga na ekranu **Moj dan** i u istoriji stanja.',
      '**Zaključaj** traži razlog. Zaključan unos niko ne menja, ne briše i ne premešta na drugi dan, ni na ekranu ni uvozom. **Otključaj** ga vraća u stanje pre zaključavanja; potpis koji je imao važi.',
      '**Zaključavanje perioda** zatvara kvartal: izaberite **Registar** i **Do dana**, i napišite **Razlog**. Do tog dana, u vašoj ustanovi, niko ne dodaje, ne menja i ne briše unose tog registra. Pre toga dijalog kaže koliko unosa perioda je još u radu i koliko ih ima otvoren upit ili nalaz; svaki broj otvara te pacijente u pretrazi. Ko ima pravo „Zaključavanje unosa”, period otključava, uz razlog.',
      '**Pretraga po stanju.** Na pretrazi registra otvorite **Uslovi o unosima vaše ustanove**: **Stanje unosa**, **Otvoreno na unosu** (upit, nalaz), **Unos od** i **Unos do**. Traži se pacijent koji ima unos za koji važi sve izabrano. Unosi drugih ustanova se tu ne traže.',
      '**Izvoz.** Na „Izvoz podataka” bira se koji **Unosi** izlaze: svi, samo završeni (i potpisani sa njima) ili samo potpisani. Potpis koji je izmena okončala ne važi. Zaključavanje ništa ne skriva: zaključan unos izlazi po onome što je bio pre toga. Izbor piše u fajlu `PROCITAJ.txt` i u logu.',
      '**Istorija stanja** na unosu pokazuje svako stanje, od najnovijeg: ko, kada, zašto, i da li potpis važi. Anonimizacija pacijenta jedina prolazi kroz zaključavanje, i okončava potpis.',
    ],
  },
  wall: {
    title: 'Prikaz na zidu',
    paragraphs: [
      'Tabla ustanove može da stoji na ekranu u hodniku ili sali, bez prijave i bez tastature. Dugme **Prikaz na zidu** na tabli ustanove ima ko ima pravo „Prikazi na zidu”.',
      '**Nov prikaz.** Upišite gde ekran stoji, pa **Napravi prikaz**. **Kopiraj vezu** daje vezu koju otvarate u pregledaču tog ekrana. Veza se vidi samo tada: ko je izgubi, pravi nov prikaz.',
      '**Šta veza otvara.** Samo ovu tablu, i samo da se gleda. Prikazuju se izveštaji vaše ustanove koji ne mogu da imenuju pacijenta; na mestu drugih piše zašto ih nema. Izveštaji se prave po pravima onoga ko je napravio prikaz.',
      '**Na ekranu.** Strane table se smenjuju na 20 sekundi, a podaci se osvežavaju na 5 minuta. Smenjivanje staje dok je neko za tastaturom ili mišem. Kada se veza prekine, to piše na vrhu, sa vremenom poslednjeg stanja. Posle nadogradnje se ekran sam učita ponovo. Jednu vezu otvorite na nekoliko ekrana, ne na desetinama: tada server traži da se sačeka minut. Na telefonu je tabla jedna kolona.',
      '**Kraj.** **Opozovi** odmah gasi prikaz. Prikaz ne prikazuje ništa ni kada onaj ko ga je napravio više ne radi u ustanovi ili izgubi pravo; u spisku tada piše zašto.',
    ],
  },
  questions: {
    title: 'Upiti o unosima',
    paragraphs: [
      'Upit je pitanje o polju ili o celom unosu. Postavlja ga nadzor ili kolega, na snimljenom unosu: zastavica pored polja, ili dugme **Upiti** za ceo unos. Bira se **Kome** (bez izbora je to ordinirajući lekar unosa) i **Rok**.',
      '**Odgovor.** Zastavica pokazuje koliko je upita otvoreno i otvara ih na licu mesta. **Pošalji** dodaje poruku; poruke se ne menjaju i ne brišu. Odgovor ne menja vrednost: ako je pogrešna, ispravite je i snimite unos.',
      '**Dodela.** **Dodeli drugom ili pomeri rok** ima ko zatvara upit: bira kome je upit i do kada.',
      '**Zatvaranje.** **Zatvori upit** ima ko ga je postavio i ko ima pravo „Upiti”. Ako je u međuvremenu stigla nova poruka, prvo se čita ona. **Ponovo otvori** traži da se napiše zašto.',
      '**Moji upiti** otvara zastavica sa brojem, na vrhu svakog ekrana. **Čekaju mene** su upiti na koje treba da odgovorite i odgovori na vaša pitanja; **Cela ustanova** su svi upiti ustanove u kojoj radite.',
      '**E-mail.** Kome stigne upit ili odgovor, dobija najviše jedan e-mail dnevno iz ustanove: koliko upita čeka, bez imena, polja i teksta. Isključuje se u profilu, pod **Početna strana i e-mail**.',
      '**Nadzor.** Radnik čija uloga ima pravo „Nadzor” i otvara pacijente samo za uvid čita i pita, a ne menja ništa, u ustanovama kojima pripada.',
    ],
  },
  quality: {
    title: 'Kvalitet podataka',
    paragraphs: [
      '**Pravila kvaliteta** traže greške u unosima registra: prazno obavezno polje, broj van granica, naglu promenu između poseta, verovatno pogrešnu jedinicu, datume obrnutim redom ili posle smrti, dva unosa istog dana. Pravilo po formuli traži ono što sami napišete. Pravi ih ko ima pravo „Pravila kvaliteta”.',
      '**Nalaz** je ono što je pravilo našlo. Stoji pored polja kao trougao, a svi nalazi unosa su iza dugmeta **Nalazi**. Završava se sam, čim se vrednost ispravi ili pravilo promeni. Nalaz ne sprečava snimanje.',
      '**Proveren, tačan.** Ako je vrednost proverena i tačna, ko menja pacijente to potvrđuje, sa napomenom ako treba. Potvrda važi samo za tu vrednost: druga vrednost je nov nalaz. **Povuci potvrdu** vraća nalaz.',
      '**Postavi upit** iz nalaza pita kolegu o polju ili o celom unosu; kao poreklo upita piše pravilo. Na strani pacijenta pored svakog unosa piše koliko je nalaza i upita otvoreno, a veze iznad unosa otvaraju njihove spiskove. **Istorija** unosa pokazuje sve nalaze, i one koji su završeni.',
      '**Kvalitet podataka**, dugme na listi registara, pokazuje unose vaše ustanove: koliko je potpunih, za koliko dana se unose, koliko je nalaza i upita, po formularu, polju, lekaru, mesecu i pravilu. Svaki broj otvara svoj spisak, a udeo one unose koji mu nedostaju: nepotpune, kasno unete, one u kojima je polje prazno.',
      '**Sve ustanove**, ispod toga, vidi ko ima pravo „Pravila kvaliteta”: unose, potpunost, nalaze i upite svake ustanove registra. Broj iza kog je malo pacijenata ne prikazuje se.',
      '**Izveštaji.** **Kvalitet podataka**, **Nalazi pravila kvaliteta** i **Upiti po mesecima** daju iste brojeve po ustanovi, formularu i mesecu, u PDF-u, Excelu i CSV-u. Mali brojevi drugih ustanova su prazni.',
      '**Provere.** Unos se proverava pri svakom snimanju, a ceo registar svake noći i kad se pravilo promeni. **Proveri sada** ne čeka noć, a **Otkaži proveru** je zaustavlja; ono što je našla ostaje.',
    ],
  },
  myDay: {
    title: 'Moj dan i Ko kasni',
    paragraphs: [
      '**Moj dan**, dugme na listi registara, broji posete za danas, one sa otvorenim prozorom i one koje kasne: vaših pacijenata i cele ustanove. Svaki broj otvara svoj spisak. Ispod su vaši nesnimljeni unosi, zakazani izveštaji koji nisu uspeli i, za one koji spajaju pacijente, parovi koji su verovatno ista osoba.',
      '**Prvi ekran posle prijave.** Ko želi da počinje od **Moj dan**, bira ga u profilu, pod **Početna strana i e-mail**. Tamo se uključuje i e-mail ponedeljkom, sa brojevima i bez imena.',
      '**Ko kasni** je spisak vaše ustanove, po registru i lekaru: ko kasni, kome je prozor otvoren, kome je termin danas. Prvi je onaj kome je prozor poslednji prošao. Ko nije dao saglasnost za kontakt stoji bez telefona. Pacijent se sa spiska skida unosom, otkazivanjem posete ili kada istekne vreme čekanja.',
      '**Kalendar** pokazuje koliko je poseta kog dana; broj otvara spisak tog dana.',
      '**Izveštaji.** Za celu ustanovu su **Propuštene posete** i **Ispunjenost plana poseta**.',
    ],
  },
  registerPlans: {
    title: 'Plan poseta registra',
    paragraphs: [
      'Plan se podešava na registru: **Administracija**, pa **Registri**, pa **Izmeni**, pa tab **Planovi poseta**. Plan putuje sa registrom kada se registar izvozi i uvozi kao fajl.',
      '**Novi plan** traži šifru i naziv. **Pacijenti registra ga dobijaju sami** znači da ga dobija svako sa prvim unosom; oni koji su već u registru dobijaju ga u narednim minutima.',
      '**Dodaj posetu.** Bira se od čega se računa (dan uključenja, datumsko polje ili prethodna poseta), pomeraj u danima, nedeljama ili mesecima, dani prozora pre i posle, i koliko se dana posle prozora poseta još čeka. Poslednja poseta može da se ponavlja.',
      '**Formulari.** Poseta je ispunjena unosom bilo kog od izabranih. Bez izbora važi bilo koji formular registra.',
      '**Uslov** je formula nad poslednjim unosom jednog formulara. Gde ne važi, poseta se ne zakazuje.',
      '**Kako izgleda na primeru** pokazuje termine izmišljenog pacijenta dok pišete; ništa se ne snima.',
      '**Objavi verziju.** Pacijenti prelaze na nju ako tako označite. Što je ispunjeno ili otkazano ostaje kako jeste.',
    ],
  },
  blocks: {
    title: 'Blokovi i vremena na formularu',
    paragraphs: [
      '**Blok** je deo formulara koji je već proveren: skala ili indeks sa stavkama, težinama, formulom, primerima i objašnjenjem. Uz program dolaze NIHSS, mRS, DAS28 sa homunkulusima, CHA2DS2-VASc, HAQ-DI, BASDAI i PHQ-9.',
      '**Dodavanje.** U nacrtu formulara **Dodaj blok…**, pa **Dodaj u formular** pored bloka. Ceo blok ulazi u jednom koraku, iza izabranog polja; korak se poništava kao i svaki drugi. Šifra koja je zauzeta dobija broj, a formule bloka čitaju svoja polja.',
      '**Izvor i licenca.** Uz svaki blok piše ko ga je objavio i pod kojim uslovima se koristi. Gde licenca ne da da se tekst pitanja isporuči (HAQ-DI, BASDAI), blok ima oblasti i bodovanje, a tekst unosite iz svog licenciranog upitnika.',
      '**Novo izdanje.** Blok se u formularu ne menja sam. Kada izađe novo izdanje, na polju bloka stoji **Preuzmi izdanje…** sa spiskom onoga što se menja. Vaše odluke ostaju: šifre, obaveznost, pretraga, oznake i napomene. Uticaj na snimljene unose vidite pri objavljivanju.',
      '**Blokovi ustanove.** Dobar deo svog formulara snimite kao fajl: **Izvezi** formular, ostavite jedan panel ili tab i na vrh dodajte zaglavlje [block] sa šifrom, nazivom, izdanjem, oblašću, opisom, izvorom i licencom. **Uvezi blok iz fajla** proverava formule i primere, pa ga stavlja u biblioteku. Istim fajlom ga šaljete drugoj ustanovi.',
      '**Vreme i trenutak.** Vrsta „vreme” je sat i minut, a „datum i vreme” ceo trenutak. Od vrata do igle je minutes_between($(vrata), $(igla)): dva trenutka daju minute koji su prošli, a dva vremena idu preko ponoći, pa je od 23:50 do 00:20 trideset minuta.',
      '**Tabela normi.** interpolate($(meseci), 0, 3.3464, 1, 4.4709) čita tabelu: između dva reda po pravoj, a van tabele je prazno. Tri takve daju z-skor po LMS postupku, kao u normama rasta SZO: (pow($(kg) / M, L) - 1) / (L * S). Tabela u bloku ustanove je fajl koji se prenosi kao i svaki drugi.',
    ],
  },
  paper: {
    title: 'Formular na papiru i šifarnik',
    paragraphs: [
      'Formular koji još nije u programu, ili se puni na mestu bez računara, ide na papir. Isti fajlovi služe i kao dokumentacija uz protokol ili prijavu etičkom odboru. Dugmad su na registru, na tabu **Formulari**: izaberite formular u listi.',
      '**Prazan formular (PDF)** ima mesto za svaki odgovor: kvadratiće za stavke, crtu sa jedinicom za broj, polja za dan, mesec i godinu, red za tekst. Nijedno polje nije prelomljeno između strana. Na vrhu su mesta za pacijenta, datum pregleda i lekara.',
      '**Šta na papiru piše drugačije.** Uz polje sa uslovom stoji „samo ako” i uslov, rečima. Polje koje se računa ima „(računa se)”: ne popunjava se, program ga računa pri unosu. Sekcija koja se ponavlja je tabela sa praznim redovima. Polja koja se na ekranu ne prikazuju nisu ni na papiru.',
      '**Šifarnik (PDF)** nabraja svako polje: šifru, vrstu, jedinicu, granice, da li je obavezno, stavke sa šiframa i težinama, formule i uslove. Na kraju su pravila formulara sa porukama. Po njemu se čita i izvoz podataka: kolone izvoza nose iste šifre.',
      '**Formular i šifarnik** pravi isto kao XLSX: prazan formular za štampu, listove sa poljima i stavkama i list sa pravilima. Tabelu možete dopuniti svojim napomenama.',
      '**Koja verzija.** Na papiru je formular kakav je sada objavljen. Posle objave nove verzije odštampajte ga ponovo: stari papir može da ima polje kog više nema.',
      '**Sa papira u program.** Unos se pravi kao i svaki drugi, sa datumom pregleda sa papira. Program proverava granice i pravila, pa se greška sa papira vidi odmah pri unosu. Rezultate ne prepisujte: ako se izračunati razlikuje od onog na papiru, važi program.',
    ],
  },
} as const satisfies Record<string, GuidePage>;
