// When a version was published, by whom, and what that worker said of it.
import { formatDateTime } from '../format';
import type { components } from '../gen/api';
import { t } from '../messages';

export type Publication = components['schemas']['Publication'];

/** Of a version that the form's screens or a file made there is none. */
export function Publications({ of }: { of: readonly Publication[] }) {
  if (of.length === 0) return <>{t.versions.notPublished}</>;
  return (
    <>
      {of.map((publication) => (
        <div key={publication.vreme}>{publicationText(publication)}</div>
      ))}
    </>
  );
}

export const publicationText = ({ vreme, radnik, napomena }: Publication) =>
  t.versions.publication(radnik, formatDateTime(vreme), napomena ?? null);
