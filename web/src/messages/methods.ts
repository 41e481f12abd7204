// What each method is, when it misleads and whose it is: the sections of docs/vodic/statistika.md, to the letter (`analyses/methods.test.ts`).
export const methods = {
  tabela1: {
    title: 'Tabela 1',
    text: `Ko je u studiji, po grupama. *Srednja vrednost (SD)* za približno simetrične brojeve, *medijana [Q1; Q3]* za iskošene (dani ležanja, CRP); kvartili su tipa 7
(Hajndman i Fan 1996). Procenti su od redova sa podatkom. **Vara** kada se p čita kao mera razlike: u velikom uzorku i sitna razlika ima malo p. Za
ravnotežu grupa čita se **SMD**, standardizovana razlika (Ostin 2009; za kategorije Jang i Dalton 2012); preko 0,1 se obično smatra neravnotežom.`,
  },
  poredjenje: {
    title: 'Poređenje grupa',
    text: `- **Velčov t-test** (1947) i **Velčova ANOVA** (1951) porede srednje vrednosti bez pretpostavke jednakih varijansi; **Studentov** i obična **ANOVA** je traže.
  Varaju kod malih, vrlo iskošenih grupa.
- **Man-Vitnijev** (1947) i **Kraskal-Volisov** (1952) test porede rangove: da li jedna grupa ima veće vrednosti, a ne da li su medijane jednake. Egzaktan je
  ispod 50 po grupi bez jednakih vrednosti, inače normalna aproksimacija sa korekcijom.
- **Hi-kvadrat** (Pirson 1900) poredi udele; nije pouzdan kada se negde očekuje manje od 5, pa se tada sam uzima **Fišerov egzaktni** test (1935).
- **Upareni t-test** i **Vilkoksonov** test (1945) porede dva merenja istih ljudi. Varaju kada parovi nedostaju ne slučajno: ko se nije vratio na kontrolu
  nije u njima. **MekNemarov** test (1947) je isto za odgovore da/ne.
- **Pirsonova** korelacija meri pravu liniju, **Spirmanova** redosled. Nijedna nije slaganje, i nijedna nije uzrok.`,
  },
  dvaPoDva: {
    title: 'Tabela 2×2',
    text: `**Odnos šansi** (Vulfov interval 1955, i egzaktni), **odnos rizika** (Kac 1978), **razlika rizika** (Njukomb 1998). Odnos šansi liči na odnos rizika samo kada je
ishod redak. **Osetljivost** i **specifičnost** (Vilsonov interval 1927) ne zavise od učestalosti bolesti, a **prediktivne vrednosti** zavise: iz bolnice se ne
prenose u dom zdravlja. **Kapa** (Koen 1960) je slaganje iznad slučajnog; mala je i pri dobrom slaganju ako skoro svi daju isti odgovor.`,
  },
  prezivljavanje: {
    title: 'Preživljavanje',
    text: `**Kaplan i Majer** (1958): udeo onih kod kojih se događaj još nije desio. Cenzurisan je ko je praćen do nekog dana i tada još bez događaja. Interval je Grinvudov
na log-log skali, medijana po Brukmajeru i Kroliju (1982). **Vara** kada cenzurisani nisu kao ostali (izgubljeni su jer su bolesniji), i na kraju krive, gde je
malo ljudi: zato uz nju stoji *broj pod rizikom*. Drugi uzrok smrti nije cenzurisanje. **Log-rang** test (Mantel 1966) poredi krive i slabo vidi razliku kada se
ukrštaju; **Gehanov** i **Tarone-Verov** daju više težine ranim događajima. **Ograničena srednja vrednost (RMST)** je površina ispod krive do nekog vremena
(Irvin 1949): koliko prosečno traje vreme bez događaja do njega; važi i kada se krive ukrštaju, a zavisi od izabranog vremena.`,
  },
  konkurentni: {
    title: 'Konkurentski događaj',
    text: `Drugi događaj posle kog se onaj koji se prati više ne može desiti, na primer smrt od drugog uzroka. **Kumulativna incidencija** (Olen i Johansen 1978) je udeo
kod kojih se događaj do nekog vremena desio, dok druge nisu ni cenzurisani ni zaboravljeni; „jedan minus Kaplan-Majer” bi bio veći od istine. Grupe poredi
**Grejov** test (1988). **Vara** kada se čita kao uzrok: manja incidencija može da znači i da je konkurentski događaj bio češći, zato se čitaju oba.`,
  },
  povezanost: {
    title: 'Regresija',
    text: `- **Koksova** (1972): odnos hazarda (HR), sa pretpostavkom da je isti sve vreme. Pretpostavka se proverava (Grambš i Terno 1994) i na kršenje se upozorava.
  Događaji u isto vreme: Efron. **Harelov C** je koliko često onaj sa većim rizikom ima raniji događaj.
- **Logistička**: odnos šansi (OR) ishoda da/ne. **Linearna**: promena broja za jedinicu prediktora.
- **Varaju** sa manje od 10 događaja po prediktoru (Peduci 1996), kada prediktor potpuno razdvaja ishod (tada broja nema, nego rečenica), i kada se koeficijent
  čita kao uzrok. Kategorija se poredi sa *referentnom*. Proizvod \`a*b\` menja značenje osnovnih koeficijenata: svaki važi kada je drugi nula.`,
  },
  tacnost: {
    title: 'ROC',
    text: `Površina je verovatnoća da onaj sa ishodom ima veći skor od onoga bez njega (interval: DeLong 1988). Granica po **Judenu** (1950) birana je na istim podacima, pa su
njena osetljivost i specifičnost optimistične: proverava se na drugima. **Tabela granica** kaže za svaku granicu osetljivost, specifičnost i prediktivne
vrednosti (Vilsonov interval); prediktivne važe za učestalost ishoda u tim podacima.`,
  },
  stope: {
    title: 'Stope',
    text: `Događaji na vreme praćenja svih ljudi, tačan Poasonov interval (Garvud 1936). **Vara** kada rizik nije isti kroz vreme: godina posle infarkta nije kao peta.`,
  },
};
