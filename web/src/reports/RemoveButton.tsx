// The last of a card's buttons: takes its run or its schedule away.
import { Button } from 'primereact/button';
import { t } from '../messages';
import style from './reports.module.css';

export const RemoveButton = ({ disabled, onClick }: { disabled: boolean; onClick: () => void }) => (
  <Button icon="pi pi-trash" label={t.reports.remove} severity="danger" text className={style.last} disabled={disabled} onClick={onClick} />
);
