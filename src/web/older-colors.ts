const lightDark = /light-dark\(([^,()]+), ([^,()]+)\)/g

/** Matches up to two levels of parentheses, as in `color-mix(in srgb, var(--a, var(--b)) 9%, red)`. */
const colorMix = /color-mix\((?:[^()]|\((?:[^()]|\([^()]*\))*\))*\)/g

/**
 * Replaces color functions that browsers from before 2024 lack. Of `--light` and `--dark`, which a style
 * sheet sets next to `color-scheme`, one is empty and the other `initial`, so that only its value remains.
 * Browsers without `color-mix()` show `--unmixed`.
 */
export function withOlderColors(css: string): string {
  return css
    .replaceAll(lightDark, 'var(--light, $1) var(--dark, $2)')
    .replaceAll(colorMix, 'var(--unmixed, $&)')
}
