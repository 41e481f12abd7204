// A date parameter: a date, or a day that is told by the day on which the report is made.
import { Button } from 'primereact/button';
import { InputText } from 'primereact/inputtext';
import { Menu } from 'primereact/menu';
import { useRef } from 'react';
import type { Schema } from '../schema';
import { formatDate } from '../format';
import { t } from '../messages';
import { DateInput } from '../ui/DateInput';
import type { Control } from '../ui/Field';
import style from './reports.module.css';

interface Props {
  control: Control;
  label: string;
  value: string;
  days: readonly Schema<'RelativeDate'>[];
  change: (value: string) => void;
}

const text = t.reports.relative;

export function DayInput({ control, label, value, days, change }: Props) {
  const menu = useRef<Menu>(null);
  const chosen = days.find(({ dan }) => dan === value);
  const items = days.map(({ dan, naziv, datum }) => ({
    label: text.choice(naziv, formatDate(datum)),
    command: () => change(dan),
  }));
  return (
    <div className={style.day}>
      {chosen ? (
        <InputText {...control} value={chosen.naziv} readOnly />
      ) : (
        <DateInput {...control} value={value || null} onChange={(date) => change(date ?? '')} />
      )}
      {days.length > 0 && (
        <Button
          type="button"
          icon={chosen ? 'pi pi-times' : 'pi pi-history'}
          text
          severity="secondary"
          aria-label={(chosen ? text.exactOf : text.chooseOf)(label)}
          aria-haspopup={chosen ? undefined : 'menu'}
          tooltip={chosen ? text.exact : text.choose}
          onClick={(event) => (chosen ? change('') : menu.current?.toggle(event))}
        />
      )}
      <Menu ref={menu} popup model={items} className={style.days} />
    </div>
  );
}
