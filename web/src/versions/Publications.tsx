// When a version was published, by whom, and what that worker said of it.
import { formatDateTime } from '../format';
import type { Schema } from '../schema';
import { t } from '../messages';

/** Of a version that the form's screens or a file made there is none. */
export function Publications({ of }: { of: readonly Schema<'Publication'>[] }) {
  if (of.length === 0) return <>{t.versions.notPublished}</>;
  return (
    <>
      {of.map((publication) => (
        <div key={publication.vreme}>{publicationText(publication)}</div>
      ))}
    </>
  );
}

export const publicationText = ({ vreme, radnik, napomena }: Schema<'Publication'>) =>
  t.versions.publication(radnik, formatDateTime(vreme), napomena ?? null);
