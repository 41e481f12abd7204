// What rows of conditions and of measures share: taking one away, and one more.
import { Button } from 'primereact/button';
import style from './simple.module.css';

export function RemoveRow({ label, onClick }: { label: string; onClick: () => void }) {
  return (
    <Button type="button" icon="pi pi-trash" text severity="secondary" className={style.remove} aria-label={label} onClick={onClick} />
  );
}

export function AddRow({ label, full, onClick }: { label: string; full: boolean; onClick: () => void }) {
  return (
    <div>
      <Button type="button" label={label} icon="pi pi-plus" text size="small" disabled={full} onClick={onClick} />
    </div>
  );
}
