/** The oldest browsers that boards and embeds work in (docs/signage.md), as options for esbuild. */
export const oldestBrowsers = {
  target: ['chrome68', 'firefox68', 'safari12'],
  // Safari 12 only lacks rare forms of them.
  supported: { destructuring: true, 'template-literal': true },
}
