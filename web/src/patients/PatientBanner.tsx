// Who the screen is about, on every screen that shows a patient's data: name, age, sex, JMBG.
import { Link } from 'react-router';
import { formatDate, fromServer } from '../format';
import { t } from '../messages';
import style from './banner.module.css';

const text = t.patients.banner;

export interface BannerPatient {
  id?: number;
  ime?: string | null;
  prezime?: string | null;
  datumRodjenja?: string | null;
  polTrenutni?: boolean | null;
  jmbg?: string | null;
  /** None: no death is recorded. */
  datumSmrti?: string | null;
  /** Nobody knows any more who it is; of the birth only the year is left. */
  anonimizovan?: string | boolean | null;
}

interface Props {
  patient: BannerPatient;
  /** The day on which the age is told: that of the visit, or today. */
  on?: string | null;
  /** The name leads to the patient's page. */
  linked?: boolean;
  /** Left out where the heading is the name already. */
  named?: boolean;
}

const DAY = 24 * 60 * 60 * 1000;

/** Whole years; of the youngest, whole months, and days before the first of them. Nothing where the day is before the birth. */
export function ageOn(born: string | null | undefined, on: string | null | undefined): string | null {
  const [from, to] = [fromServer(born ?? null), fromServer(on ?? null)];
  if (!from || !to || to < from) return null;
  const months = (to.getFullYear() - from.getFullYear()) * 12 + to.getMonth() - from.getMonth() - (to.getDate() < from.getDate() ? 1 : 0);
  if (months === 0) return text.days(Math.round((to.getTime() - from.getTime()) / DAY));
  return months < 24 ? text.months(months) : text.years(Math.floor(months / 12));
}

export const patientName = ({ ime, prezime, anonimizovan }: BannerPatient) =>
  anonimizovan ? text.anonymous : `${ime ?? ''} ${prezime ?? ''}`.trim();

export function PatientBanner({ patient, on, linked = false, named = true }: Props) {
  const { id, datumRodjenja, datumSmrti, polTrenutni, jmbg } = patient;
  const name = patientName(patient);
  const age = ageOn(datumRodjenja, on);
  return (
    <span className={style.banner} role="group" aria-label={text.label}>
      {named && <strong>{linked && id !== undefined ? <Link to={`/pacijenti/${id}`}>{name}</Link> : name}</strong>}
      {age && <span>{age}</span>}
      {typeof polTrenutni === 'boolean' && <span>{polTrenutni ? text.male : text.female}</span>}
      {datumSmrti && <span className={style.died}>{t.patientStatus.died(formatDate(datumSmrti))}</span>}
      {jmbg && (
        <span>
          {text.jmbg} <span className={style.number}>{jmbg}</span>
        </span>
      )}
    </span>
  );
}
