// Under a list that comes a page after another: the older rows for asking and, after the last of them, where still older ones are.
import { Button } from 'primereact/button';
import type { Pages } from '../api/usePages';
import { t } from '../messages';
import { ArchiveNote } from './ArchiveNote';
import style from './states.module.css';

type Props = Pick<Pages<unknown>, 'more' | 'archivedBefore' | 'isLoading' | 'next'>;

export function OlderRows({ more, archivedBefore, isLoading, next }: Props) {
  if (!more) return <ArchiveNote before={archivedBefore} />;
  return (
    <div className={style.older}>
      <Button type="button" label={t.common.older} icon="pi pi-chevron-down" outlined loading={isLoading} onClick={next} />
    </div>
  );
}
