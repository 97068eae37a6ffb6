function(id,height,option){
"use strict";
function library(){
if(window.echarts)return Promise.resolve(window.echarts);
if(!window.mklECharts){
var c=document.getElementById("jupyter-config-data"),base=c?JSON.parse(c.textContent).baseUrl:document.body.getAttribute("data-base-url");
window.mklECharts=base?fetch(base+"kernelspecs/mkl/echarts.min.js").then(function(r){if(!r.ok)throw new Error(r.status);return r.text()}).then(function(t){new Function("define","exports","module",t).call(window);return window.echarts}):Promise.reject(new Error("no server"));
window.mklECharts.catch(function(){window.mklECharts=null});
}
return window.mklECharts;
}
function number(v,powers){
var a=Math.abs(v),p=Number(v.toPrecision(4)).toExponential().split("e"),e=Number(p[1]),t;
if(!a)return"0";
if(powers?!e:e>=-4&&(e<4||a<1e6&&a%1===0))t=a<1e4?String(Number(a.toPrecision(4))):String(a);
else t=(p[0].replace("-","")==="1"?"":p[0].replace("-","")+"×")+"10"+String(e).replace(/./g,function(c){return c==="-"?"⁻":"⁰¹²³⁴⁵⁶⁷⁸⁹"[c]});
return(v<0?"−":"")+t;
}
function writeNumbers(){
[].concat(option.xAxis||[],option.yAxis||[]).forEach(function(a){
if(a.type==="category"||!a.axisLabel)return;
var powers=a.type==="log"&&(a.min<1e-3||a.max>1e3);
a.axisLabel.formatter=function(v){return number(v,powers)};
a.axisPointer=a.axisPointer||{label:{formatter:function(p){return number(p.value)}}};
});
if(option.visualMap)option.visualMap.formatter=function(v){return number(Number(v.toPrecision(3)))};
}
function fitNames(){
var c=document.createElement("canvas").getContext("2d"),g=[].concat(option.grid||[])[0];
c.font="12px "+(option.textStyle||{}).fontFamily;
[].concat(option.yAxis||[]).forEach(function(a){
if(a.type!=="category"||a.show===false||a.gridIndex||!a.data||!a.axisLabel||!g)return;
var room=parseFloat(g.left)-32,widest=Math.max.apply(null,a.data.map(function(t){return c.measureText(t).width}));
if(widest>room)a.axisLabel.fontSize=Math.max(8,Math.floor(120*room/widest)/10);
});
}
function draw(echarts,e){
var img=e.querySelector("img");
if(!img||e.getAttribute("data-live"))return;
var box=document.createElement("div"),chart=null;
box.style.height=height+"px";
box.setAttribute("role","img");
box.setAttribute("aria-label",img.alt);
img.style.display="none";
e.appendChild(box);
try{
option.animation=false;
writeNumbers();
fitNames();
chart=echarts.init(box,null,{renderer:"svg"});
chart.setOption(option);
}catch(x){
if(chart)chart.dispose();
box.remove();
img.style.display="block";
e.setAttribute("data-live","failed");
return;
}
img.remove();
e.setAttribute("data-live","1");
var resize=function(){if(box.clientWidth)chart.resize()};
if(window.ResizeObserver)new ResizeObserver(resize).observe(box);else window.addEventListener("resize",resize);
}
function whenSeen(echarts,e){
if(e.clientWidth){draw(echarts,e);return}
if(window.ResizeObserver){
var o=new ResizeObserver(function(){if(e.clientWidth){o.disconnect();draw(echarts,e)}});
o.observe(e);
}else{
var n=0,t=setInterval(function(){if(e.clientWidth||++n>150){clearInterval(t);if(e.clientWidth)draw(echarts,e)}},100);
}
}
library().then(function(echarts){
if(echarts)document.querySelectorAll('[id="'+id+'"]').forEach(function(e){whenSeen(echarts,e)});
}).catch(function(){});
}
