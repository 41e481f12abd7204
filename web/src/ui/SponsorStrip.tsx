// Logos of the project's friends, in the order that the administrators chose.
import type { Schema } from '../schema';
import { useApi } from '../api/hooks';
import { t } from '../messages';
import { imageSource } from './image';
import style from './SponsorStrip.module.css';

export function SponsorStrip() {
  const { data } = useApi('/api/sponsors');
  if (!data?.data.length) return null;
  const sponsors = [...data.data].sort((a, b) => a.displayOrder - b.displayOrder);
  return (
    <aside className={style.strip} aria-label={t.shell.sponsors}>
      <h2>{t.shell.sponsors}</h2>
      <ul>
        {sponsors.map((sponsor) => (
          <li key={sponsor.id}>
            <SponsorMark sponsor={sponsor} />
          </li>
        ))}
      </ul>
    </aside>
  );
}

function SponsorMark({ sponsor: { name, logo, websiteUrl } }: { sponsor: Schema<'Sponsor'> }) {
  const source = imageSource(logo);
  const mark = source ? (
    <img src={source} alt={name} title={name} loading="lazy" />
  ) : (
    <span className={style.name}>
      <span className="pi pi-heart" aria-hidden /> {name}
    </span>
  );
  return websiteUrl && /^https?:\/\//i.test(websiteUrl) ? (
    <a href={websiteUrl} target="_blank" rel="noopener noreferrer">
      {mark}
    </a>
  ) : (
    mark
  );
}
