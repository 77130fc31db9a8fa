import type { ReactNode } from 'react'

/** Facts as rows between hairlines: put `Definition`s in it. */
export function Definitions(props: { readonly className?: string; readonly children: ReactNode }) {
  return <dl className={`definitions ${props.className ?? ''}`}>{props.children}</dl>
}

export function Definition(props: { readonly term: ReactNode; readonly children: ReactNode }) {
  return (
    <div>
      <dt className="quiet">{props.term}</dt>
      <dd>{props.children}</dd>
    </div>
  )
}

/** Sentences as rows between hairlines. */
export function Sentences({ of }: { readonly of: readonly string[] }) {
  return (
    <ul className="ruled-rows">
      {of.map((sentence) => (
        <li key={sentence}>{sentence}</li>
      ))}
    </ul>
  )
}
