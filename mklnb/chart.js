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
