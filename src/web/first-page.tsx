import { ComingSoon, type ComingSoonProps } from './coming-soon.tsx'

/** The page beneath the splash, as it is built. Script takes over what is in its `main`. */
export function FirstPage({ words, ...more }: ComingSoonProps) {
  const { name, logo, links, languages = {} } = words
  return (
    <div className="page">
      <header className="brand">
        <img src={`/${logo}`} alt={name} width="48" height="48" fetchPriority="low" />
        <span aria-hidden="true">{name}</span>
      </header>
      <main>
        <ComingSoon words={words} {...more} />
      </main>
      <div className="backdrop">
        <i />
      </div>
      {links && (
        <footer className="footer">
          {Object.entries(links).map(([text, target]) => (
            <a key={text} href={target} lang={languages[target]} hrefLang={languages[target]}>
              {text}
            </a>
          ))}
        </footer>
      )}
    </div>
  )
}
