import { formatDateTime } from '../../../format';
import { t } from '../../../messages';
import style from './designer.module.css';
import type { OtherDrafts } from './model';

const text = t.formDesigner;

/** Who else prepares a draft: theirs is not touched, and is published by itself. */
export const Others = ({ others }: { others: OtherDrafts }) =>
  others.length === 0 ? null : (
    <ul className={style.others}>
      {others.map(({ radnik, vreme }) => (
        <li key={radnik}>
          <span className="pi pi-user" aria-hidden /> {text.other(radnik, formatDateTime(vreme))}
        </li>
      ))}
    </ul>
  );
