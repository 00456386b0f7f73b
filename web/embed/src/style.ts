/**
 * Lengths are in `em` of the reader's own size, because the shop's page may define another `rem`. A phone gets the whole
 * screen.
 */
export const STYLE = `
:host{all:initial}
dialog{
box-sizing:border-box;margin:auto;padding:0;border:0;overflow:hidden;
width:60em;max-width:calc(100% - 2em);height:calc(var(--page,44em) + 3em + 1px);max-height:calc(100% - 2em);
border-radius:.75em;background:#fff;color:#15181d;color-scheme:light dark;font:medium/3 system-ui,sans-serif
}
dialog[open]{display:flex;flex-direction:column}
dialog::backdrop{background:#0009}
.bar{display:flex;height:3em;padding-inline:1em .25em;border-bottom:1px solid #8885}
a{flex:1;overflow:hidden;white-space:nowrap;text-overflow:ellipsis;color:inherit}
button{all:unset;padding:0 .75em;border-radius:.5em;cursor:pointer;font-weight:600}
button:hover{background:#8883}
:focus-visible{outline:2px solid;outline-offset:-4px}
.page{flex:1;display:grid}
iframe,.page::before{grid-area:1/1}
iframe{width:100%;height:100%;border:0}
[aria-busy]::before{content:"";place-self:center;width:2em;height:2em;border-radius:50%;border:3px solid #8885;border-top-color:currentColor}
@media (prefers-color-scheme:dark){dialog{background:#15181d;color:#eef0f3}}
@media (max-width:40em),(max-height:30em){
dialog{width:100%;height:100%;max-width:none;max-height:none;border-radius:0;padding-top:env(safe-area-inset-top)}
}
@media (prefers-reduced-motion:no-preference){
dialog{animation:in .2s}
[aria-busy]::before{animation:turn 1s linear infinite}
@keyframes in{from{opacity:0;transform:translateY(1em)}}
@keyframes turn{to{rotate:1turn}}
}`;
