//! `PROCITAJ.txt`: what the archive is, of when, whose, and why.
use domain::{
    exports::{Count, Export, Profile, RowOf},
    register::UnnamedOutput,
    time,
};
use jiff::civil::DateTime;

use super::sections::Sections;

pub fn text(export: &Export, sections: &Sections, made: DateTime, (count, without_consent): (Count, i64)) -> String {
    let selection = &export.selection;
    let day = |date: Option<jiff::civil::Date>, open: &str| date.map_or_else(|| open.to_owned(), time::date_text);
    let what = export
        .obrazac
        .as_deref()
        .map_or_else(|| format!("{}, pacijenti registra", export.registar), |form| format!("{}, formular „{form}”", export.registar));
    let row = match (selection.red, selection.tsa_id) {
        (RowOf::Unos, _) => "unos",
        (RowOf::Pacijent, Some(_)) => "pacijent (njegov poslednji unos iz izabranog perioda)",
        (RowOf::Pacijent, None) => "pacijent",
    };
    let profile = match selection.profil {
        Profile::Identitet => "sa identitetom",
        Profile::BezIdentiteta => "bez identiteta",
    };
    let patients = selection.pretraga.map_or_else(
        || "svi".to_owned(),
        |search| format!("samo oni koje je prikazala pretraga od {}", time::date_time_text(search.vreme.to_zoned(time::zone()).datetime())),
    );
    let institutions: Vec<&str> = export.ustanove.iter().map(|(_, naziv)| naziv.as_str()).collect();
    let mut text = format!(
        "IZVOZ PODATAKA\r\n\r\n\
         Podaci:      {what}\r\n\
         Jedan red:   {row}\r\n\
         Pregledi:    od {} do {}\r\n\
         Ustanove:    {}\r\n\
         Pacijenti:   {patients}\r\n\
         Polja:       {}\r\n\
         Unosi:       {}\r\n\
         Profil:      {profile}\r\n\
         Redova:      {}\r\n\
         Pacijenata:  {}\r\n\
         Izvezeno:    {}\r\n\
         Po zahtevu:  {}\r\n\
         Razlog:      {}\r\n\r\n",
        day(selection.datum_od, "početka"),
        day(selection.datum_do, "kraja"),
        institutions.join(", "),
        if export.polja.is_some() { "izabrana" } else { "sva" },
        selection.stanja.words(),
        count.redova,
        count.pacijenata,
        time::date_time_text(made),
        export.radnik,
        export.razlog.split_whitespace().collect::<Vec<_>>().join(" "),
    );
    text.push_str(match selection.profil {
        Profile::Identitet => "Fajl sadrži lične podatke pacijenata. Čuvajte ga i brišite po pravilima svoje ustanove.\r\n\r\n",
        Profile::BezIdentiteta => {
            "Nema imena, brojeva, adresa ni slobodnih tekstova. Broj ispitanika važi samo u ovom izvozu. Svi datumi jednog pacijenta\r\n\
             pomereni su za isti, slučajan broj dana (do 182), pa su razmaci među njima tačni. Umesto datuma rođenja je godina;\r\n\
             stariji od 89 godina su jedna grupa. Retke bolesti i neobične vrednosti ipak mogu da odaju osobu: ne objavljujte\r\n\
             pojedinačne redove.\r\n\r\n"
        }
    });
    if without_consent > 0 {
        text.push_str(&format!("Izostavljeno: {without_consent} pacijenata koji nisu dali saglasnost za istraživanje.\r\n\r\n"));
    }
    let guessed = export.unnamed.guessed(export.polja.as_deref());
    if !guessed.is_empty() {
        text.push_str("PAŽNJA: ova polja niko nije označio, a po nazivu liče na podatak o ličnosti, uzrast ili deo datuma:\r\n");
        for field in guessed {
            let what = if field.unnamed == UnnamedOutput::OgranicavaSe { "najviše 90" } else { "izostavljeno" };
            text.push_str(&format!("  {}: {what}\r\n", field.naziv));
        }
        text.push_str("Ko podešava formular označava ih u svojstvima polja.\r\n\r\n");
    }
    text.push_str(
        "podaci.csv    podaci: UTF-8, tačka-zarez između polja, zarez u brojevima, datumi kao GGGG-MM-DD, prazno = nema podatka\r\n\
         podaci.xlsx   isto, za Excel (ako je traženo)\r\n\
         sifarnik.csv  šta je koja promenljiva, sa šiframa i njihovim nazivima\r\n\
         stavke.csv    stavke svakog skupa: šifra, naziv i težina, svaka u svojoj koloni\r\n\
         ucitaj.R      učitava podatke u R\r\n\
         ucitaj.sps    učitava podatke u SPSS\r\n\r\n\
         Skup je naziv izabrane stavke, a njena šifra i težina su promenljive sa nastavkom _sifra i _tezina (ako ih ijedna stavka ima).\r\n\
         Prazna težina znači da je stavka nema. Gde se bira više stavki, one su u ćeliji razdvojene znakom |, a svaka je i promenljiva:\r\n\
         1 izabrana, 0 nije, prazno kada polje nije popunjeno.\r\n\
         U CSV-u tekst koji liči na formulu ima apostrof ispred sebe, a broj koji je tekst (JMBG) tabulator iza sebe; R i SPSS\r\n\
         skripte ih uklanjaju ili računaju sa njima.\r\n",
    );
    if !sections.is_empty() {
        text.push_str(
            "\r\n\
             redovi.csv    redovi sekcija koje se ponavljaju, po jedna vrednost u redu: red_podataka je red iz podaci.csv (prvi red ispod\r\n\
             naziva je 1), red je redni broj u sekciji. Skup ima po red za svaku izabranu stavku, sa njenom šifrom i težinom. U podaci.csv\r\n\
             tih vrednosti nema.\r\n",
        );
    }
    if !sections.left_out.is_empty() {
        let names = sections.left_out.join(", ");
        text.push_str(&format!("\r\nPAŽNJA: izabrana su polja, pa redova ovih sekcija koje se ponavljaju ovde nema: {names}.\r\n"));
    }
    text
}
