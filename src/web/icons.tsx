/**
 * Drawn on a 24 px grid with one line weight. They are decorative: text beside them says the same.
 */
export function MailIcon() {
  return (
    <svg className="icon" viewBox="0 0 24 24" aria-hidden="true">
      <path d="M3 5.5h18v13H3zM3.5 6l8.5 7 8.5-7" />
    </svg>
  )
}

export function StatusIcon({ success }: { readonly success: boolean }) {
  return (
    <svg className="icon" viewBox="0 0 24 24" aria-hidden="true">
      <path
        pathLength="1"
        d={success ? 'M4 12.5l5.5 5.5L20 6.5' : 'M12 3a9 9 0 1 0 .01 0M12 7.5v6M12 16v1'}
      />
    </svg>
  )
}

export function ArrowIcon() {
  return (
    <svg className="icon" viewBox="0 0 24 24" aria-hidden="true">
      <path d="M4 12h16m-6-6l6 6-6 6" />
    </svg>
  )
}
