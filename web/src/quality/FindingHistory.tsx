// What rules have ever found in an entry, below its history: when it began, when and why it ended, and who found the value right.
import { at } from '../api/address';
import { useApi } from '../api/hooks';
import { formatDateTime } from '../format';
import { t } from '../messages';
import { Panel } from '../ui/Panel';
import { Loading, LoadFailed } from '../ui/states';
import { wordsOf } from './context';
import style from './quality.module.css';

const text = t.quality;

export function FindingHistory({ entry }: { entry: number }) {
  const { data, error, mutate } = useApi(at('/api/entries/{id}/finding-history', { id: entry }));
  // Most entries have none, and nothing is said of it.
  if (data?.data.length === 0) return null;
  return (
    <Panel title={text.findings}>
      {error && !data ? (
        <LoadFailed title={text.failed} error={error} retry={() => void mutate()} />
      ) : !data ? (
        <Loading lines={3} />
      ) : (
        <ul className={style.history} aria-label={text.findings}>
          {data.data.map((finding) => {
            const { id, pravilo, tezina, polje, pocetak, kraj, razlogKraja, potvrda } = finding;
            return (
              <li key={id} data-severity={kraj || potvrda ? 'none' : tezina}>
                <strong>{wordsOf(finding)}</strong>
                <small>
                  {polje ?? text.whole}, {pravilo}, {text.severities[tezina]}
                </small>
                <small>
                  {text.since(formatDateTime(pocetak))}
                  {kraj && razlogKraja ? ` ${text.until(formatDateTime(kraj), text.ends[razlogKraja])}` : `, ${text.stillOpen}`}
                </small>
                {potvrda && (
                  <small>
                    {text.confirmed(potvrda.radnik, formatDateTime(potvrda.vreme))}
                    {potvrda.napomena && `: ${potvrda.napomena}`}
                  </small>
                )}
              </li>
            );
          })}
        </ul>
      )}
    </Panel>
  );
}
