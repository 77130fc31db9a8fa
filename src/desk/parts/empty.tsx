import type { ReactNode } from 'react'

/** What stands where nothing is yet: what will be here, and what to do for it. */
export function Empty(props: { readonly title: string; readonly children?: ReactNode }) {
  return (
    <div className="empty">
      <p className="strong">{props.title}</p>
      {props.children && <div className="quiet">{props.children}</div>}
    </div>
  )
}
