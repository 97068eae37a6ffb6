function(){
"use strict";
if(window.mklTables)return;
window.mklTables=true;
function key(cell){
var t=cell.innerText.replace(/−/g,"-").replace(/^([-+]?)10(?=[⁻¹²³⁴⁵⁶⁷⁸⁹])/,"$11×10").replace(/×10([⁻⁰¹²³⁴⁵⁶⁷⁸⁹]+)/,function(_,s){return"e"+s.replace(/./g,function(c){return c==="⁻"?"-":"⁰¹²³⁴⁵⁶⁷⁸⁹".indexOf(c)})});
return parseFloat(t.replace(/^.*= /,""));
}
function sort(table,column){
var down=table.getAttribute("data-sorted")===String(column);
table.setAttribute("data-sorted",down?"":column);
var rows=Array.from(table.tBodies[0].rows),sign=down?-1:1;
rows.sort(function(a,b){
var x=a.cells[column],y=b.cells[column],u=key(x),v=key(y);
if(isNaN(u)&&isNaN(v))return sign*x.innerText.localeCompare(y.innerText);
return isNaN(u)?1:isNaN(v)?-1:sign*(u-v);
}).forEach(function(r){table.tBodies[0].appendChild(r)});
}
function copy(table,button){
var text=Array.from(table.rows).map(function(r){return Array.from(r.cells).map(function(c){return c.innerText.trim()}).join("\t")}).join("\n");
navigator.clipboard.writeText(text).then(function(){button.textContent="copied"});
}
document.addEventListener("mouseover",function(e){
var box=e.target.closest&&e.target.closest(".mkl-table"),table=box&&box.querySelector("table");
if(!table||table.getAttribute("data-live"))return;
table.setAttribute("data-live","1");
table.querySelectorAll("thead th").forEach(function(h){
h.style.cursor="pointer";
h.title=(h.title?h.title+" ":"")+"Click: sort.";
h.onclick=function(){sort(table,h.cellIndex)};
});
var b=document.createElement("button");
b.textContent="TSV";
b.title="Copy the table, with tabs between cells";
b.style.cssText="font-size:10px;padding:0 3px;margin-left:6px;opacity:.6;cursor:pointer";
b.onclick=function(){copy(table,b)};
table.caption.appendChild(b);
});
}
