// Fields of a patient (A 2.6); optional ones where the installation shows them.
import { useState } from 'react';
import type { Schema } from '../schema';
import { bindFields } from '../crud/bindFields';
import type { EditedRecord } from '../crud/useForm';
import { t } from '../messages';
import { knownJmbg } from './jmbg';
import { today } from '../today';
import { FIRST_BIRTH, filledByJmbg, jmbgWarnings } from './patientForm';
import style from './patients.module.css';

const text = t.patients.form;
const SEXES = [
  { value: false, label: t.common.female },
  { value: true, label: t.common.male },
];

export function PatientFields({
  form,
  flags,
}: {
  form: EditedRecord<Schema<'PatientInput'>>;
  flags: Schema<'PatientParameters'> | undefined;
}) {
  const [lastRead, setLastRead] = useState(() => knownJmbg(form.record.jmbg));
  const fill = (name: keyof Schema<'PatientInput'>, value: Schema<'PatientInput'>[keyof Schema<'PatientInput'>]) => {
    form.set(name, value);
    if (name !== 'jmbg') return;
    for (const [field, filled] of Object.entries(filledByJmbg(form.record, value as string, lastRead)))
      form.set(field as keyof Schema<'PatientInput'>, filled);
    setLastRead((before) => knownJmbg(value as string) ?? before);
  };
  const fields = bindFields<Schema<'PatientInput'>, 'patient'>({ ...form, set: fill }, 'patient');
  const warnings = jmbgWarnings(form.record);
  const warning = (message: string | undefined) => message && <span className={style.warning}>{message}</span>;
  const at = (name: keyof Schema<'PatientInput'>, field: React.ReactNode, wide = false) => (
    <div key={name} data-field={name} className={wide ? style.wide : undefined}>
      {field}
    </div>
  );
  return (
    <>
      <fieldset className={style.group}>
        <legend>{text.identity}</legend>
        {at('ime', fields.text('ime', { required: true }))}
        {at('prezime', fields.text('prezime', { required: true }))}
        {at('jmbg', fields.text('jmbg', { required: true, inputMode: 'numeric', help: text.jmbgHelp }))}
        {at(
          'datumRodjenja',
          fields.date('datumRodjenja', { required: true, min: FIRST_BIRTH, max: today(), help: warning(warnings.datumRodjenja) }),
        )}
        {at('lbo', fields.text('lbo', { required: true, inputMode: 'numeric' }))}
        {flags?.prikazPacijentImeRoditelja && at('imeRoditelja', fields.text('imeRoditelja'))}
        {at('polTrenutni', fields.select('polTrenutni', SEXES, { required: true, help: warning(warnings.polTrenutni) }))}
        {!flags?.prikazPacijentPrikazJednogPola && at('polNaRodjenju', fields.select('polNaRodjenju', SEXES))}
      </fieldset>
      <fieldset className={style.group}>
        <legend>{text.contact}</legend>
        {at('kontaktTelefon', fields.text('kontaktTelefon', { required: true, inputMode: 'tel', help: text.phoneHelp }))}
        {at('mobilniTelefon', fields.text('mobilniTelefon', { inputMode: 'tel', help: text.phoneHelp }))}
        {at('adresa', fields.text('adresa'))}
        {at('email', fields.text('email', { inputMode: 'email' }))}
      </fieldset>
      <fieldset className={style.group}>
        <legend>{text.other}</legend>
        {flags?.prikazPacijentZanimanje && at('zanimanje', fields.text('zanimanje'))}
        {flags?.prikazPacijentStrucnaSprema && at('strucnaSprema', fields.text('strucnaSprema'))}
        {flags?.prikazPacijentRadnoMesto && at('radnoMesto', fields.text('radnoMesto'))}
        {at('brojKartona', fields.text('brojKartona'))}
        {flags?.prikazPacijentMedicinskaNapomena && at('medicinskaNapomena', fields.area('medicinskaNapomena', { rows: 2 }), true)}
        {flags?.prikazPacijentAdministrativnaNapomena &&
          at('administrativnaNapomena', fields.area('administrativnaNapomena', { rows: 2 }), true)}
      </fieldset>
    </>
  );
}
